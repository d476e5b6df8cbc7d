import { device } from '../storage.ts'
import { createStore } from '../store.ts'
import { session } from './store.ts'

const KEY = 'backup_spent'

/** The backup code was used to sign in and not yet replaced. Shared by all tabs until the session ends. */
export const backupSpent = createStore(device.read(KEY) !== null)

backupSpent.subscribe(() => (backupSpent.get() ? device.write(KEY, '1') : device.remove(KEY)))
session.subscribe(() => {
  if (!session.get()) backupSpent.set(false)
})
// Dismissed, or replaced by a new code, in another tab.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === `plinth.${KEY}` && newValue === null) backupSpent.set(false)
})
