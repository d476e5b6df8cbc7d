import { t } from '../../lib/i18n/translate.ts'
import { session } from '../../lib/session/store.ts'
import { toast } from '../../ui/toast.ts'

let greeted: string | undefined

/** The notification on load: once per session and page, not again with every way back to the dashboard. */
export function greet(): void {
  const user = session.get()
  if (!user || greeted === user.token) return
  greeted = user.token
  toast({
    variant: 'info',
    title: t('dashboard.hello.title', { name: user.name.split(' ')[0] ?? user.name }),
    description: t('dashboard.hello.text'),
  })
}
