import { type ComponentProps, type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import type { Toaster as Drawn, ToasterTexts } from './Toaster.tsx'
import { snapshot, subscribe } from './toast.ts'

/**
 * Render it once at the root. The code that draws toasts loads on the first interaction or toast. It cannot
 * wait for the first toast only, because offline the toast about the lost connection could not load it.
 */
export function Toasts({ texts }: { texts: ToasterTexts }) {
  const toasts = useSyncExternalStore(subscribe, snapshot)
  const [Toaster, setToaster] = useState<ComponentType<ComponentProps<typeof Drawn>> | null>(null)
  const newest = toasts[0]?.id

  // If loading fails, the page works without toasts and the next one tries again.
  useEffect(() => {
    if (Toaster) return
    const load = () =>
      import('./Toaster.tsx').then(module => setToaster(() => module.Toaster)).catch(console.error)
    if (newest) void load()
    window.addEventListener('focusin', load, { once: true })
    window.addEventListener('pointerdown', load, { once: true })
    return () => {
      window.removeEventListener('focusin', load)
      window.removeEventListener('pointerdown', load)
    }
  }, [Toaster, newest])

  return Toaster ? <Toaster toasts={toasts} texts={texts} /> : null
}
