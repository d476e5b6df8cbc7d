import { plain } from './navigate.ts'
import { paths } from './paths.ts'
import { tab } from './storage.ts'

/** Screens that receive a token in the query, from a mailed link or an identity provider's redirect. */
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
 * Runs first on page load: moves the token of a link from the address bar to sessionStorage, so that it
 * appears in no history, referrer or screenshot. There it survives a sign-in.
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

/** @param whose the email address that the link was requested for, if this browser knows it */
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
