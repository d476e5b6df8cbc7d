import { useLayoutEffect } from 'react'
import { failureTitle } from '../lib/failure-title.ts'
import { useT } from '../lib/i18n/translate.ts'
import { useStore } from '../lib/store.ts'
import { restoreScrollAndFocus } from './scroll-restoration.ts'

/**
 * Rendered with each screen: sets the document's title, and restores focus and scrolling like a page load.
 */
export function RouteAnnouncer({ title, path }: { title: string; path: string }) {
  const t = useT()
  const failure = useStore(failureTitle)
  const full = t('global.title', { page: failure ?? title, app: t('global.app') })
  useLayoutEffect(() => {
    document.title = full
  }, [full])
  // An effect, because the focus can move only after the screen is in the document.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on every change of the path
  useLayoutEffect(restoreScrollAndFocus, [path])
  return null
}
