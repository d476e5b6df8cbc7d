import type { ApiKey } from '@plinth/contract'
import { createOneTimeSecret } from '../../lib/session/one-time-secret.ts'
import { createStore } from '../../lib/store.ts'

export type NewKey = ApiKey & { full_key: string }

/** The key that was just created, until the user confirms that it is stored. It survives navigation. */
export const newKey = createOneTimeSecret<NewKey>()
/** Once the key was copied, the dialog closes without asking. */
export const isCopied = createStore(false)
newKey.subscribe(() => isCopied.set(false))
