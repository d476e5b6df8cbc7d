import { paths } from './paths.ts'

/**
 * The screens on which a card can be typed. With real payment keys the provider's script runs in the page, so these
 * alone let it in: the server sends them a policy of their own, and the browser loads a new document on the way in and out.
 */
const cardPages: readonly string[] = [paths.plan, paths.billing, paths.upgrade]

export const isCardPage = (path: string): boolean =>
  cardPages.includes(path.endsWith('/') ? path.slice(0, -1) : path)
