import { tab } from '../storage.ts'
import { createStore } from '../store.ts'
import { session } from './store.ts'

const KEY = 'backup_spent'

/** The backup code was used to sign in, and there is no new one yet. Survives a reload, ends with the session. */
export const backupSpent = createStore(tab.read(KEY) !== null)

backupSpent.subscribe(() => (backupSpent.get() ? tab.write(KEY, '1') : tab.remove(KEY)))
session.subscribe(() => {
  if (!session.get()) backupSpent.set(false)
})
