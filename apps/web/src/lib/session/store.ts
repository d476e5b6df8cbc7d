import type { SessionUser } from '@plinth/contract'
import { isRole } from '@plinth/contract/roles'
import { device, parse, tab } from '../storage.ts'
import { createStore, useStore } from '../store.ts'

/** Kept in the browser: exactly the fields of the specification's session user, and never an email. */
const storedFields = [
  'token',
  'verified',
  'plan',
  'onboarded',
  'subscription',
  'permission',
  'dark_mode',
  'avatar',
  'name',
  'accounts',
  'locale',
] as const satisfies readonly (keyof SessionUser)[]

type Stored = Required<Pick<SessionUser, (typeof storedFields)[number]>>
/** The rest of the server's session user lives in memory alone, and is there once the server has answered. */
export type Session = Stored & Partial<Omit<SessionUser, keyof Stored>>

const KEY = 'session'

/** Who is signed in here, or null. Components follow it with `useSession`. */
export const session = createStore<Session | null>(readStored())

export const useSession = (): Session | null => useStore(session)

/** The session of a screen that the guard shows to signed-in people only. */
export function useSignedIn(): Session {
  const user = useSession() ?? lastKnown
  if (!user) throw new Error('This screen needs a session: give its route a permission')
  return user
}

// A screen may render once more between the end of the session and the guard's redirect.
let lastKnown: Session | null = null
session.subscribe(() => {
  lastKnown = session.get() ?? lastKnown
})
lastKnown = session.get()

/** Signs in here, or takes over the server's newer answer about the same session. */
export function keepSession(user: SessionUser & { token: string }): void {
  set(user)
}

/** Merges what is newer into the session; nothing happens when nobody is signed in. */
export function mergeSession(change: Partial<SessionUser>): void {
  const now = session.get()
  if (now) set({ ...now, ...change, token: change.token ?? now.token })
}

function set(user: Session): void {
  session.set(user)
  device.write(KEY, JSON.stringify(Object.fromEntries(storedFields.map(field => [field, user[field]]))))
}

/** Deletes the session and clears what the browser kept for it. The server is not asked. */
export function endSession(): void {
  session.set(null)
  device.clear()
}

/** Also forgets what was typed and where: a person who leaves on purpose leaves nothing behind. */
export function leave(): void {
  endSession()
  tab.clear()
}

/** Follows sign-in, switch and sign-out in other tabs of this browser. Returns the way to stop. */
export function followOtherTabs(changed: () => void): () => void {
  function listen(event: StorageEvent): void {
    if (event.key !== `plinth.${KEY}` && event.key !== null) return
    const before = session.get()
    const stored = readStored()
    if (!stored) {
      if (before) tab.clear()
      session.set(null)
    } else if (stored.token === before?.token) {
      session.set({ ...before, ...stored })
    } else {
      session.set(stored)
      changed()
    }
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

function readStored(): Session | null {
  const value = parse(device.read(KEY))
  if (typeof value !== 'object' || value === null) return null
  const user = value as Partial<Stored> // as: every field the guard decides by is checked below
  const sound =
    typeof user.token === 'string' &&
    typeof user.verified === 'boolean' &&
    typeof user.name === 'string' &&
    isRole(user.permission) &&
    Array.isArray(user.accounts)
  return sound ? (user as Stored) : null // as: checked above; the other fields are only shown
}
