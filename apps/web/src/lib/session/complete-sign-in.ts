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
 * All sign-in methods end here. Stores the session, applies the user's language and theme, and opens the
 * first screen, or the page that was open before. `to` overrides that page. If a second factor is required,
 * opens that screen first, which calls this function again. `whose`: the email address, if known, shown
 * there.
 */
export async function completeSignIn(user: SignInReply, to?: string, whose?: string): Promise<void> {
  if ('2fa_required' in user) {
    keepLinkToken(paths.otp, user.token, whose)
    return navigate(paths.otp, { replace: true })
  }
  if (!session.get()) tab.remove(greetedKey)
  // Synchronously: otherwise the guard redirects before the return path is used.
  keepSession(user)
  const applied = applyPreferences(user)
  const returnPath = takeReturnTo(user.id)
  navigate(to ?? (returnPath && mayGoBack(user, returnPath) ? returnPath : firstScreen(user)), {
    replace: true,
  })
  // Missing texts must not prevent the sign-in.
  await applied.catch(handleFailure)
}

/** After the user left an account for good: switches to another account, or signs out. */
export async function leaveFor(next: (SessionUser & { token: string }) | null | undefined): Promise<void> {
  leave()
  // Without an await in between, or the guard treats it as a lost session.
  if (next) return completeSignIn(next)
  forgetDark()
  navigate(paths.login, { replace: true })
}

/** If the first screen redirects, opens its target directly. */
function firstScreen(user: SessionUser): string {
  const first = landingPath(user)
  return redirectFor(user, first, 'user') ?? first
}

function mayGoBack(user: SessionUser, returnPath: string): boolean {
  const path = returnPath.split('?')[0] ?? returnPath
  // Every user may open an invite, even with an unfinished sign-up.
  if (path === paths.acceptInvite) return true
  // An unfinished sign-up comes first; an unverified user may return only to the verification screen.
  const done = landingPath(user) === '/dashboard' || path === landingPath(user)
  return done && redirectFor(user, path, 'user') === null
}
