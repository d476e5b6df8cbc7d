import { t } from '../../lib/i18n/translate.ts'
import { session } from '../../lib/session/store.ts'
import { snapshot, toast } from '../../ui/toast.ts'

let greeted: string | undefined

/** The notification on load: once per session and page load, and never beside another one. */
export function greet(): void {
  const user = session.get()
  if (!user || greeted === user.token) return
  // Something else is said on arrival: the greeting would push it aside. It comes with the next visit.
  if (snapshot().some(({ open }) => open)) return
  greeted = user.token
  toast({
    variant: 'info',
    title: t('dashboard.hello.title', { name: user.name.split(' ')[0] ?? user.name }),
    description: t('dashboard.hello.text'),
  })
}
