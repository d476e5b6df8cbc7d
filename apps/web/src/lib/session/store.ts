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

type Account = SessionUser['accounts'][number]
type Stored = Required<Omit<Pick<SessionUser, (typeof storedFields)[number]>, 'accounts'>> & {
  accounts: Array<Pick<Account, 'id' | 'name'> & Partial<Account>>
}
/** The rest of the server's session user lives in memory alone, and is there once the server has answered. */
export type Session = Stored & Partial<Omit<SessionUser, keyof Stored>>

const KEY = 'session'
const SUPPORT = 'support'

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

/** The user of the session, or of the last one in this page; null while the server has not told whose it is. */
export const lastUserId = (): string | null => (session.get() ?? lastKnown)?.id ?? null

/** Signs in here, or takes over the server's newer answer about the same session. */
export function keepSession(user: SessionUser & { token: string }): void {
  set(user)
}

/** Merges what is newer into the session; nothing happens when nobody is signed in. */
export function mergeSession(change: Partial<Session>): void {
  const now = session.get()
  if (now) set({ ...now, ...change, token: change.token ?? now.token })
}

function set(user: Session): void {
  session.set(user)
  const kept = { ...user, accounts: user.accounts.map(({ id, name }) => ({ id, name })) }
  device.write(KEY, JSON.stringify(Object.fromEntries(storedFields.map(field => [field, kept[field]]))))
  if (user.support_until) device.write(SUPPORT, '1')
  else if (user.support_until === null) device.remove(SUPPORT)
}

/** Whether the session is support's, acting as somebody: known before the server has answered, and until it is over. */
export const isSupport = (): boolean => device.read(SUPPORT) !== null

/**
 * Takes over a newer session that another tab has written down, if there is one: what ended the old one, a proof there
 * for example, may be known here before the browser has told of the new one. True if so.
 */
export function followNewer(): boolean {
  const stored = readStored()
  if (!stored || stored.token === session.get()?.token) return false
  session.set(stored)
  return true
}

/** Deletes the session and clears what the browser kept for it. The server is not asked. */
export function endSession(): void {
  session.set(null)
  device.clear()
}

/** Writes the session down again, if there is one: a browser that clears its storage may be late. */
export function keepAgain(): void {
  const now = session.get()
  if (now) set(now)
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
      session.set({ ...before, ...stored, accounts: knowing(before.accounts, stored.accounts) })
    } else {
      session.set(stored)
      changed()
    }
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

/** What is stored of an account is less than what this tab has heard of it. */
const knowing = (heard: Session['accounts'], stored: Session['accounts']): Session['accounts'] =>
  stored.map(account => ({ ...heard.find(({ id }) => id === account.id), ...account }))

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
