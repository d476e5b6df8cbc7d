import { plain } from './navigate.ts'
import { paths } from './paths.ts'
import { tab } from './storage.ts'

/** The screens that a secret leads to, in the query of a mailed link or of a way back from an identity provider. */
const screens = [
  paths.verify,
  paths.otp,
  paths.social,
  paths.samlCallback,
  paths.magic,
  paths.resetPassword,
  paths.impersonate,
  paths.endSignIn,
  paths.undoEmail,
] as const
export type LinkScreen = (typeof screens)[number]

const keyOf = (screen: LinkScreen) => `link:${screen}`
const ownerOf = (screen: LinkScreen) => `link-owner:${screen}`

/**
 * Runs before anything else: takes the secret of a link out of the address bar, so that it is in no history, no
 * referrer and no screenshot (T-03), and keeps it in this tab, through a sign-in if one is needed.
 */
export function takeLinkToken(): void {
  const { pathname, search } = window.location
  const screen = screens.find(path => path === plain(pathname))
  const query = new URLSearchParams(search)
  const token = query.get('token')
  if (!screen || !token) return
  keepLinkToken(screen, token)
  query.delete('token')
  window.history.replaceState(window.history.state, '', query.size ? `${pathname}?${query}` : pathname)
}

/** @param whose the address it was asked for with, where this browser knows */
export function keepLinkToken(screen: LinkScreen, token: string, whose?: string): void {
  tab.write(keyOf(screen), token)
  if (whose) tab.write(ownerOf(screen), whose)
  else tab.remove(ownerOf(screen))
}
export const linkToken = (screen: LinkScreen): string | null => tab.read(keyOf(screen))
export const linkOwner = (screen: LinkScreen): string | null => tab.read(ownerOf(screen))
export function dropLinkToken(screen: LinkScreen): void {
  tab.remove(keyOf(screen))
  tab.remove(ownerOf(screen))
}
