import { dismiss, toast } from '../../ui/overlay/toast.ts'
import { t } from '../i18n/translate.ts'
import { draftKey, tab } from '../storage.ts'
import { isSupport, session } from './store.ts'

/** Says on the sign-in screen, until the next sign-in, that the session has ended, and that typed text is kept. */
export function tellEnded(): void {
  const told = toast({
    title: t('global.error.session_title'),
    description: t(tab.has(draftKey('')) ? 'global.error.session_kept' : 'global.error.session_text'),
  })
  const stop = session.subscribe(() => {
    stop()
    dismiss(told)
  })
}

/** Runs what ends the session; where support acted as somebody, the sign-in screen says that this is over. */
export function endTelling(end: () => void): boolean {
  const support = isSupport()
  end()
  if (support)
    toast({ variant: 'info', title: t('global.support.ended'), description: t('global.support.ended_text') })
  return support
}
