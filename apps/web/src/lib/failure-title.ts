import { useLayoutEffect } from 'react'
import { createStore } from './store.ts'

/** Names the document while a screen shows a failure; null where the title of the route holds. */
export const failureTitle = createStore<string | null>(null)

export function useFailureTitle(title: string): void {
  useLayoutEffect(() => {
    failureTitle.set(title)
    return () => failureTitle.set(null)
  }, [title])
}
