import type { SessionUser, SignInReply } from '@plinth/contract'
import { landingPath, redirectFor } from '@plinth/contract/access'
import { handleFailure } from '../api/failure.ts'
import { keepLinkToken } from '../link-token.ts'
import { navigate } from '../navigate.ts'
import { paths } from '../paths.ts'
import { greetedKey, tab } from '../storage.ts'
import { forgetDark } from '../theme.ts'
import { applyPreferences } from './preferences.ts'
import { takeReturnTo } from './return-to.ts'
import { keepSession, leave, session } from './store.ts'

/**
 * The end of every way in: keeps the session, applies the user's language and theme, and goes to the first screen,
 * or back to where a lost session or a mailed link interrupted. `to` overrides the first screen. Where the second
 * factor is due, that screen comes first, and ends here again; it names the address, where this door knows `whose`.
 */
export async function completeSignIn(user: SignInReply, to?: string, whose?: string): Promise<void> {
  if ('2fa_required' in user) {
    keepLinkToken(paths.otp, user.token, whose)
    return navigate(paths.otp, { replace: true })
  }
  if (!session.get()) tab.remove(greetedKey)
  // All in one go: before the way back, the guard would lead elsewhere.
  keepSession(user)
  const applied = applyPreferences(user)
  const back = takeReturnTo(user.id)
  navigate(to ?? (back && mayGoBack(user, back) ? back : firstScreen(user)), { replace: true })
  // Texts that don't come keep nobody out.
  await applied.catch(handleFailure)
}

/** After an account was left for good: into another one, or nobody is signed in here any more. */
export async function leaveFor(next: (SessionUser & { token: string }) | null | undefined): Promise<void> {
  leave()
  // At once, with nothing to wait for in between: the guard would take it for a lost session.
  if (next) return completeSignIn(next)
  forgetDark()
  navigate(paths.login, { replace: true })
}

/** Where the first screen is closed, at once the one that stands in: no way there and back again. */
function firstScreen(user: SessionUser): string {
  const first = landingPath(user)
  return redirectFor(user, first, 'user') ?? first
}

function mayGoBack(user: SessionUser, back: string): boolean {
  const path = back.split('?')[0] ?? back
  // An invite is there for everybody who has its link, whatever is still to be done in an account of their own.
  if (path === paths.acceptInvite) return true
  // An unfinished set-up goes first; an unverified person's way back can only be the verification itself.
  const done = landingPath(user) === '/dashboard' || path === landingPath(user)
  return done && redirectFor(user, path, 'user') === null
}
