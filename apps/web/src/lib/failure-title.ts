import { useLayoutEffect } from 'react'
import { createStore } from './store.ts'

/** Title of the document while a screen shows a failure; null = the title of the route. */
export const failureTitle = createStore<string | null>(null)

export function useFailureTitle(title: string): void {
  useLayoutEffect(() => {
    failureTitle.set(title)
    return () => failureTitle.set(null)
  }, [title])
}
