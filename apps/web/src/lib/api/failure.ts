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
 * The general handler of every failed call that its screen does not handle itself (specification, section 8).
 * @returns the id of the toast that tells of it, if one does
 */
export function handleFailure(error: unknown): string | null {
  if (!(error instanceof ApiError)) {
    console.error(error)
    return complain(error instanceof NoAnswer ? t('global.error.no_answer') : wordsOf(error))
  } else if (error.status === 401) {
    // Nobody has left: the call was made as who they were a moment ago.
    if (followNewer()) return toast({ variant: 'info', title: t('global.error.other_tab') })
    // Who signs in after a support session is somebody else than it was about: no way back.
    if (!isSupport()) rememberReturnTo(lastUserId())
    const live = session.get() !== null
    const support = endTelling(endSession)
    navigate(paths.login)
    if (support) return null
    // The server says why a new sign-in is needed, which is not that time has run out.
    if (error.code === 'sign_in_again') return toast({ variant: 'info', title: error.message })
    if (live) tellEnded()
  } else if (error.status === 402 && mayUpgrade()) {
    keepReason(error.message)
    navigate(withQuery(paths.upgrade, { plan: error.plan }))
  } else if (error.status === 404) {
    navigate(paths.notFound)
  } else if (error.code === 'sso_required') {
    // Not a failure but another door: there, with the reason.
    navigate(paths.saml)
    toast({ variant: 'info', title: error.message })
  } else {
    return complain(error.message || t('global.error.message'), titleOf(error))
  }
  return null
}

/** Plans are the owner's. Anybody else would be led from closed door to closed door, and hears why instead. */
const mayUpgrade = () => grants(session.get()?.permission ?? 'owner', 'owner')

/** A refused card has words for the visitor; a bug's are for the log. */
function wordsOf(error: unknown): string {
  return error instanceof CardRefused ? error.message : t('global.error.message')
}

const titles: Partial<Record<string, TextKey>> = {
  domain_not_proven: 'global.error.not_proven',
  support_not_allowed: 'global.error.support',
}

/** An expected no, known by its code, is nothing that went wrong. */
const titleOf = ({ code, status }: ApiError): TextKey =>
  code && status < 500 ? (titles[code] ?? 'global.error.refused') : 'global.error.title'

function complain(description: string, title: TextKey = 'global.error.title'): string {
  return toast({ variant: 'error', title: t(title), description })
}

/**
 * For a call outside a form: failures go to the general handler and null comes back, a message becomes a toast.
 * `const saved = await attempt(api.profile.update({ body }))`
 * @param onError sees a failure first, as a form's does; true if that is all there is to do
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
