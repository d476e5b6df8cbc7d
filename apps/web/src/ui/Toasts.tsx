import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import type { ToasterTexts } from './Toaster.tsx'
import { snapshot, subscribe } from './toast.ts'

const Toaster = lazy(() => import('./Toaster.tsx').then(module => ({ default: module.Toaster })))

/** Put once at the root. What draws toasts is fetched with the first toast and stays. */
export function Toasts({ texts }: { texts: ToasterTexts }) {
  const toasts = useSyncExternalStore(subscribe, snapshot)
  const [wanted, setWanted] = useState(false)
  if (!wanted && toasts.length > 0) setWanted(true)
  return wanted ? (
    <Suspense>
      <Toaster toasts={toasts} texts={texts} />
    </Suspense>
  ) : null
}
