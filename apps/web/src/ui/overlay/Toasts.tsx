import { type ComponentProps, type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import type { Toaster as Drawn, ToasterTexts } from './Toaster.tsx'
import { snapshot, subscribe } from './toast.ts'

/**
 * Put once at the root. What draws toasts is fetched when somebody begins to use the page, or with the first toast:
 * the one that says that the connection is gone can't be fetched any more.
 */
export function Toasts({ texts }: { texts: ToasterTexts }) {
  const toasts = useSyncExternalStore(subscribe, snapshot)
  const [Toaster, setToaster] = useState<ComponentType<ComponentProps<typeof Drawn>> | null>(null)
  const newest = toasts[0]?.id

  // The network and the window are outside React. Without the drawing the page works on; the next toast tries again.
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
