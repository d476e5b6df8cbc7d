import { useEffect } from 'react'
import { createStore, type Store } from '../store.ts'
import { session } from './store.ts'

/** What the server shows once. It stays in memory until it is dismissed, and never longer than the session. */
export function createOneTimeSecret<T>(): Store<T | null> {
  const secret = createStore<T | null>(null)
  let token = session.get()?.token
  session.subscribe(() => {
    if (session.get()?.token !== token) secret.set(null)
    token = session.get()?.token
  })
  return secret
}

/** The browser asks before the page is closed or reloaded, which would lose the secret. */
export function useAskBeforeUnload(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
