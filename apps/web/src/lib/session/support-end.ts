import { toast } from '../../ui/toast.ts'
import { t } from '../i18n/translate.ts'
import { isSupport } from './store.ts'

/** Runs what ends the session; where support acted as somebody, the sign-in screen says that this is over. */
export function endTelling(end: () => void): boolean {
  const support = isSupport()
  end()
  if (support)
    toast({ variant: 'info', title: t('global.support.ended'), description: t('global.support.ended_text') })
  return support
}
