import type { ApiKey } from '@plinth/contract'
import { session } from '../../lib/session/store.ts'
import { createStore } from '../../lib/store.ts'

export type NewKey = ApiKey & { full_key: string }

/**
 * The key that was just made, until its maker says that it is stored: it outlives the way from the form to the list,
 * a step back and a double click. In memory alone, and never longer than the session.
 */
export const newKey = createStore<NewKey | null>(null)
/** It lies on the clipboard: whoever closes it has it. */
export const isCopied = createStore(false)
newKey.subscribe(() => isCopied.set(false))

let token = session.get()?.token
session.subscribe(() => {
  if (session.get()?.token !== token) newKey.set(null)
  token = session.get()?.token
})
