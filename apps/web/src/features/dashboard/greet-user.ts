import { t } from '../../lib/i18n/translate.ts'
import { session } from '../../lib/session/store.ts'
import { greetedKey, tab } from '../../lib/storage.ts'
import { snapshot, toast } from '../../ui/overlay/toast.ts'

/** Greets once per sign-in, and only when no other toast is open. */
export function greetUser(): void {
  const user = session.get()
  if (!user || tab.has(greetedKey)) return
  // The greeting would hide the open toast. It is shown on the next visit.
  if (snapshot().some(({ open }) => open)) return
  tab.write(greetedKey, '1')
  toast({
    variant: 'info',
    title: t('dashboard.hello.title', { name: user.name.split(' ')[0] ?? user.name }),
    description: t('dashboard.hello.text'),
  })
}
