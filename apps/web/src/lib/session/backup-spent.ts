import { device } from '../storage.ts'
import { createStore } from '../store.ts'
import { session } from './store.ts'

const KEY = 'backup_spent'

/** The backup code was used to sign in, and there is no new one yet. Known in every tab, ends with the session. */
export const backupSpent = createStore(device.read(KEY) !== null)

backupSpent.subscribe(() => (backupSpent.get() ? device.write(KEY, '1') : device.remove(KEY)))
session.subscribe(() => {
  if (!session.get()) backupSpent.set(false)
})
// Closed, or replaced by a new code, in another tab.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === `plinth.${KEY}` && newValue === null) backupSpent.set(false)
})
