import { grants } from '@plinth/contract/roles'
import { toast } from '../../ui/overlay/toast.ts'
import type { TextKey } from '../i18n/texts.ts'
import { t } from '../i18n/translate.ts'
import { navigate } from '../navigate.ts'
import { paths, withQuery } from '../paths.ts'
import { rememberReturnTo } from '../session/return-to.ts'
import { endSession, followNewer, isSupport, lastUserId, session } from '../session/store.ts'
import { endTelling, tellEnded } from '../session/support-end.ts'
import { keepReason } from '../upgrade-reason.ts'
import type { Answer } from './client.ts'
import { ApiError, CardRefused, NoAnswer } from './error.ts'

/**
 * Default handler for failed calls that the screen does not handle itself.
 * @returns the id of the toast it shows, or null
 */
export function handleFailure(error: unknown): string | null {
  if (!(error instanceof ApiError)) {
    console.error(error)
    return showError(error instanceof NoAnswer ? t('global.error.no_answer') : messageOf(error))
  } else if (error.status === 401) {
    // The user is still signed in: the call used the token of an older session.
    if (followNewer()) return toast({ variant: 'info', title: t('global.error.other_tab') })
    // After a support session another user signs in, who must not return to this page.
    if (!isSupport()) rememberReturnTo(lastUserId())
    const hadSession = session.get() !== null
    const support = endTelling(endSession)
    navigate(paths.login)
    if (support) return null
    // The server explains why a new sign-in is needed; the reason is not an expired session.
    if (error.code === 'sign_in_again') return toast({ variant: 'info', title: error.message })
    if (hadSession) tellEnded()
  } else if (error.status === 402 && mayUpgrade()) {
    keepReason(error.message)
    navigate(withQuery(paths.upgrade, { plan: error.plan }))
  } else if (error.status === 404) {
    navigate(paths.notFound)
  } else if (error.code === 'sso_required') {
    // Continue with single sign-on and show the reason.
    navigate(paths.saml)
    toast({ variant: 'info', title: error.message })
  } else {
    return showError(error.message || t('global.error.message'), titleOf(error))
  }
  return null
}

/** Only owners can change the plan; other roles see the server's message instead. */
const mayUpgrade = () => grants(session.get()?.permission ?? 'owner', 'owner')

/** The message of a refused card is for the user; other errors are only logged. */
function messageOf(error: unknown): string {
  return error instanceof CardRefused ? error.message : t('global.error.message')
}

const titles: Partial<Record<string, TextKey>> = {
  domain_not_proven: 'global.error.not_proven',
  support_not_allowed: 'global.error.support',
}

/** A refusal with a code is expected, so its title does not say that something went wrong. */
const titleOf = ({ code, status }: ApiError): TextKey =>
  code && status < 500 ? (titles[code] ?? 'global.error.refused') : 'global.error.title'

function showError(description: string, title: TextKey = 'global.error.title'): string {
  return toast({ variant: 'error', title: t(title), description })
}

/**
 * For calls outside a form: shows the response's message as a toast, passes failures to handleFailure and
 * returns null.
 * `const saved = await attempt(api.profile.update({ body }))`
 * @param onError called first; returns true if it handled the failure
 */
export async function attempt<T>(
  call: Promise<Answer<T>>,
  onError?: (error: unknown) => boolean,
): Promise<T | null> {
  try {
    const { data, message } = await call
    if (message) toast({ variant: 'success', title: message })
    return data
  } catch (error) {
    if (!onError?.(error)) handleFailure(error)
    return null
  }
}
