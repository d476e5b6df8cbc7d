import { toast } from '../../ui/toast.ts'
import { t } from '../i18n/translate.ts'
import { navigate } from '../navigate.ts'
import { paths, withQuery } from '../paths.ts'
import { endSession } from '../session/store.ts'
import { rememberWayBack } from '../session/way-back.ts'
import type { Answer } from './client.ts'
import { ApiError, CardRefused, NoAnswer } from './error.ts'

/** The general handler of every failed call that its screen does not handle itself (specification, section 8). */
export function handleFailure(error: unknown): void {
  if (!(error instanceof ApiError)) {
    console.error(error)
    complain(error instanceof NoAnswer ? t('global.error.no_answer') : wordsOf(error))
  } else if (error.status === 401) {
    rememberWayBack()
    endSession()
    navigate(paths.login)
    toast({ title: t('global.error.session_title'), description: t('global.error.session_text') })
  } else if (error.status === 402) {
    navigate(withQuery(paths.upgrade, { plan: error.plan }))
  } else if (error.status === 404) {
    navigate(paths.notFound)
  } else {
    complain(error.message || t('global.error.message'))
  }
}

/** A refused card has words for the visitor; a bug's are for the log. */
function wordsOf(error: unknown): string {
  return error instanceof CardRefused ? error.message : t('global.error.message')
}

function complain(description: string): void {
  toast({ variant: 'error', title: t('global.error.title'), description })
}

/**
 * For a call outside a form: failures go to the general handler and null comes back, a message becomes a toast.
 * `const saved = await attempt(api.profile.update({ body }))`
 */
export async function attempt<T>(call: Promise<Answer<T>>): Promise<T | null> {
  try {
    const { data, message } = await call
    if (message) toast({ variant: 'success', title: message })
    return data
  } catch (error) {
    handleFailure(error)
    return null
  }
}
