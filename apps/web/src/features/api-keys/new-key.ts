import type { ApiKey } from '@plinth/contract'
import { createOneTimeSecret } from '../../lib/session/one-time-secret.ts'
import { createStore } from '../../lib/store.ts'

export type NewKey = ApiKey & { full_key: string }

/**
 * The key that was just made, until its maker says that it is stored: it outlives the way from the form to the list,
 * a step back and a double click.
 */
export const newKey = createOneTimeSecret<NewKey>()
/** It lies on the clipboard: whoever closes it has it. */
export const isCopied = createStore(false)
newKey.subscribe(() => isCopied.set(false))
