import type { Role } from '@plinth/contract/roles'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Tx } from './db/open.ts'
import type { JobName, Jobs } from './jobs/queue.ts'
import type { Sealer } from './lib/crypto.ts'
import type { Locale } from './lib/i18n.ts'
import type { Mail } from './outside/mail.ts'
import type { Payments } from './outside/payments.ts'

/** An open transaction: what a service passes on to its store; only stores look inside. */
export type { Tx }

/** Who is asking: the row of the session look-up. */
export type Actor = {
  session_id: string
  method: string
  authenticated_at: Date
  last_used_at: Date
  user_id: string
  account_id: string
  first_name: string
  last_name: string
  email: string
  verified: boolean
  has_password: boolean
  locale: string
  dark_mode: boolean
  avatar: string | null
  duplicate_user: boolean
  onboarded: boolean
  permission: Role
  plan: string | null
  subscription: string | null
  account_name: string
  accounts: { id: string; name: string }[]
}

/** What every service is handed, in a request or in a job. */
export type World = {
  config: Config
  /** The clock. Tests turn it. */
  now(): Date
  log: Logger
  sealer: Sealer
  /** A transaction that sees one account alone. */
  withinAccount<T>(accountId: string, run: (tx: Tx) => Promise<T>): Promise<T>
  /** A transaction that sees all accounts; the reason is logged. */
  asSystem<T>(reason: string, run: (tx: Tx) => Promise<T>): Promise<T>
  enqueue<N extends JobName>(
    tx: Tx,
    name: N,
    data: Jobs[N],
    options?: { afterSeconds?: number; key?: string },
  ): Promise<void>
  /** Puts a mail on its way in the caller's transaction. */
  enqueueMail(
    tx: Tx,
    mail: Mail,
    options?: { /** After that its link is dead and it is not sent. */ expiresAt?: Date },
  ): Promise<void>
  outside: { payments: Payments }
}

/** The world as seen from one request. */
export type Context = World & {
  locale: Locale
  t(key: string, values?: Record<string, string | number>): string
  request: { id: string; ip: string; network: string; userAgent: string }
  /** The session behind the request's token, if there is a live one. Asks the database once. */
  identify(): Promise<Actor | null>
  /** Names a message for a toast to go with the reply. */
  say(key: string, values?: Record<string, string | number>): void
  /**
   * Keeps the answer for the call's Idempotency-Key, if it has one, in the transaction that does the work: after a
   * crash a repeated call finds both or neither. Whatever is said with the answer is said before.
   */
  keep(tx: Tx, data: unknown): Promise<void>
  /** Spends from a budget of calls that belongs to `subject`; refuses when it is used up. */
  spend(budget: string, subject: string): Promise<void>
}

/** The same for somebody signed in. */
export type SignedIn = Context & {
  actor: Actor
  /** withinAccount of the actor's current account. */
  within<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}
