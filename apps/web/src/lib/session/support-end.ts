import { dismiss, toast } from '../../ui/overlay/toast.ts'
import { t } from '../i18n/translate.ts'
import { draftKey, tab } from '../storage.ts'
import { isSupport, session } from './store.ts'

/** Shows a toast that the session has ended and whether drafts were kept. Closes it at the next sign-in. */
export function tellEnded(): void {
  const toastId = toast({
    title: t('global.error.session_title'),
    description: t(tab.has(draftKey('')) ? 'global.error.session_kept' : 'global.error.session_text'),
  })
  const stop = session.subscribe(() => {
    stop()
    dismiss(toastId)
  })
}

/**
 * Runs `end`. If the session was a support session, shows a toast that it has ended. Returns whether it was.
 */
export function endTelling(end: () => void): boolean {
  const support = isSupport()
  end()
  if (support)
    toast({ variant: 'info', title: t('global.support.ended'), description: t('global.support.ended_text') })
  return support
}
