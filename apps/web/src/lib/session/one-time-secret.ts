import { useEffect } from 'react'
import { createStore, type Store } from '../store.ts'
import { session } from './store.ts'

/** A secret that the server shows once. Kept in memory until it is dismissed or the session ends. */
export function createOneTimeSecret<T>(): Store<T | null> {
  const secret = createStore<T | null>(null)
  let token = session.get()?.token
  session.subscribe(() => {
    if (session.get()?.token !== token) secret.set(null)
    token = session.get()?.token
  })
  return secret
}

/** Asks for confirmation before the page is closed or reloaded, because the secret would be lost. */
export function useAskBeforeUnload(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
