import { useLayoutEffect } from 'react'
import { useT } from '../lib/i18n/translate.ts'
import { arrive } from './arrive.ts'

/** Mounted beside a screen: names the document after it, and brings focus and scrolling where a new page has them. */
export function Arrival({ title, path }: { title: string; path: string }) {
  const t = useT()
  const full = t('global.title', { page: title, app: t('global.app') })
  useLayoutEffect(() => {
    document.title = full
  }, [full])
  // The focus is the browser's; it can be moved only once the screen is in the document.
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere else is what counts
  useLayoutEffect(arrive, [path])
  return null
}
