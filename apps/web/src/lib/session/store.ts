import type { SessionUser } from '@plinth/contract'
import { isRole } from '@plinth/contract/roles'
import { device, parse, tab } from '../storage.ts'
import { createStore, useStore } from '../store.ts'

/** Fields kept in localStorage: those of the specified session user, never the email address. */
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
/** The other fields are kept in memory only and are set by the server's response. */
export type Session = Stored & Partial<Omit<SessionUser, keyof Stored>>

const KEY = 'session'
const SUPPORT = 'support'

/** The current session, or null. In components use `useSession`. */
export const session = createStore<Session | null>(readStored())

export const useSession = (): Session | null => useStore(session)

/** The session, for screens that require one. */
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

/**
 * The id of the session's user, or of the previous session in this page; null until the server has sent it.
 */
export const lastUserId = (): string | null => (session.get() ?? lastKnown)?.id ?? null

/** Stores a new session, or newer data of the current one. */
export function keepSession(user: SessionUser & { token: string }): void {
  storeSession(user)
}

/** Merges changes into the session; does nothing without a session. */
export function mergeSession(change: Partial<Session>): void {
  const now = session.get()
  if (now) storeSession({ ...now, ...change, token: change.token ?? now.token })
}

function storeSession(user: Session): void {
  session.set(user)
  const kept = { ...user, accounts: user.accounts.map(({ id, name }) => ({ id, name })) }
  device.write(KEY, JSON.stringify(Object.fromEntries(storedFields.map(field => [field, kept[field]]))))
  if (user.support_until) device.write(SUPPORT, '1')
  else if (user.support_until === null) device.remove(SUPPORT)
}

/** Whether this is a support session. Stored in localStorage, so it is known before the server responds. */
export const isSupport = (): boolean => device.read(SUPPORT) !== null

/**
 * Takes over a newer session that another tab has stored, and returns true if there is one. The server can
 * reject the old token before this tab receives the storage event.
 */
export function followNewer(): boolean {
  const stored = readStored()
  if (!stored || stored.token === session.get()?.token) return false
  session.set(stored)
  return true
}

/** Deletes the session and all stored data of this site. Sends no request. */
export function endSession(): void {
  session.set(null)
  device.clear()
}

/** Stores the session again, in case the browser clears its storage late. */
export function keepAgain(): void {
  const now = session.get()
  if (now) storeSession(now)
}

/** Ends the session on purpose: also deletes drafts and other data of this tab. */
export function leave(): void {
  endSession()
  tab.clear()
}

/** Follows sign-in, account switch and sign-out in other tabs. Returns a function that stops it. */
export function followOtherTabs(changed: () => void): () => void {
  function onStorage(event: StorageEvent): void {
    if (event.key !== `plinth.${KEY}` && event.key !== null) return
    const before = session.get()
    const stored = readStored()
    if (!stored) {
      if (before) tab.clear()
      session.set(null)
    } else if (stored.token === before?.token) {
      session.set({ ...before, ...stored, accounts: mergeAccounts(before.accounts, stored.accounts) })
    } else {
      session.set(stored)
      changed()
    }
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Stored accounts have fewer fields than those in memory: keep the others. */
const mergeAccounts = (inMemory: Session['accounts'], stored: Session['accounts']): Session['accounts'] =>
  stored.map(account => ({ ...inMemory.find(({ id }) => id === account.id), ...account }))

function readStored(): Session | null {
  const value = parse(device.read(KEY))
  if (typeof value !== 'object' || value === null) return null
  const user = value as Partial<Stored> // as: every field the guard decides by is checked below
  const isValid =
    typeof user.token === 'string' &&
    typeof user.verified === 'boolean' &&
    typeof user.name === 'string' &&
    isRole(user.permission) &&
    Array.isArray(user.accounts)
  return isValid ? (user as Stored) : null // as: checked above; the other fields are only shown
}
