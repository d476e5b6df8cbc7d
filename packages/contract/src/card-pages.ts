import { paths } from './paths.ts'

/**
 * The screens with a card field. With real payment keys they load the provider's script, so only they get a content
 * security policy that allows it. The browser loads a new document when it enters or leaves them.
 */
const cardPages: readonly string[] = [paths.plan, paths.billing, paths.upgrade]

export const isCardPage = (path: string): boolean =>
  cardPages.includes(path.endsWith('/') ? path.slice(0, -1) : path)
