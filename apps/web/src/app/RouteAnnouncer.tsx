import { useLayoutEffect } from 'react'
import { failureTitle } from '../lib/failure-title.ts'
import { useT } from '../lib/i18n/translate.ts'
import { useStore } from '../lib/store.ts'
import { restoreScrollAndFocus } from './scroll-restoration.ts'

/** Mounted beside a screen: names the document after it, and brings focus and scrolling where a new page has them. */
export function RouteAnnouncer({ title, path }: { title: string; path: string }) {
  const t = useT()
  const failure = useStore(failureTitle)
  const full = t('global.title', { page: failure ?? title, app: t('global.app') })
  useLayoutEffect(() => {
    document.title = full
  }, [full])
  // The focus is the browser's; it can be moved only once the screen is in the document.
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere else is what counts
  useLayoutEffect(restoreScrollAndFocus, [path])
  return null
}
