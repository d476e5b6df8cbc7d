import type { Page } from '@plinth/contract'
import type { Role } from '@plinth/contract/roles'
import type { Scope } from '@plinth/contract/scopes'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Tx } from './db/transaction.ts'
import type { Dns } from './integrations/dns.ts'
import type { Images } from './integrations/images/images.ts'
import type { Mail } from './integrations/mail/mailer.ts'
import type { IdentityProviders } from './integrations/oauth/identity-providers.ts'
import type { Storage } from './integrations/storage/storage.ts'
import type { Payments } from './integrations/stripe/payments.ts'
import type { JobName, Jobs } from './jobs/queue.ts'
import type { Encrypter } from './lib/crypto.ts'
import type { Locale } from './lib/i18n.ts'
import type { RateLimitKey } from './rate-limit/limits.ts'
import type { LoginAttempt } from './rate-limit/login-throttle.ts'

/** An open transaction. Services pass it to stores; only stores use it. */
export type { Tx }

/** Who is asking: the row of the session look-up, or of the key look-up. */
export type Actor = {
  session_id: string
  method: string
  authenticated_at: Date
  last_used_at: Date
  /** After so long without a call the session is over. */
  idle_seconds: number
  user_id: string
  account_id: string
  first_name: string
  last_name: string
  email: string
  verified: boolean
  /** A new address waits for its proof. */
  email_pending: boolean
  has_password: boolean
  locale: string
  dark_mode: boolean
  /** Else the screens follow the system they are shown on. */
  dark_mode_chosen: boolean
  avatar: string | null
  duplicate_user: boolean
  onboarded: boolean
  /** Whether the second factor was shown for this session, or something that counts as both. */
  second_factor: boolean
  /** Who of support acts as the user; null for the user. */
  impersonator_id: string | null
  /** The API key that acts with the permission of its maker, who is the user here; null for a session. */
  api_key: { id: string; scope: readonly Scope[] } | null
  permission: Role
  plan: string | null
  subscription: string | null
  account_name: string
  accounts: { id: string; name: string; permission: Role; since: string }[]
}

/** What every service is handed, in a request or in a job. */
export type Services = {
  config: Config
  /** The clock. Tests turn it. */
  now(): Date
  log: Logger
  encrypter: Encrypter
  /** A transaction that sees one account alone. `readOnlyList`: one statement that reads in the order of indexes, nothing sorted. */
  withinAccount<T>(accountId: string, run: (tx: Tx) => Promise<T>, how?: 'readOnlyList'): Promise<T>
  /** A transaction that sees all accounts; the reason is logged. */
  asSystem<T>(reason: string, run: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement without a transaction, as the role that sees no account: for the database's own functions. */
  withoutTransaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  enqueue<N extends JobName>(
    tx: Tx,
    name: N,
    data: Jobs[N],
    options?: { afterSeconds?: number; key?: string },
  ): Promise<void>
  /** Enqueues a mail in the caller's transaction. */
  enqueueMail(
    tx: Tx,
    mail: Mail,
    options?: { /** After that its link is dead and it is not sent. */ expiresAt?: Date },
  ): Promise<void>
  integrations: {
    payments: Payments
    identity: IdentityProviders
    dns: Dns
    /** Fetches the metadata document at an address a user typed. @throws SamlProblem */
    samlMetadata(address: string): Promise<string>
    storage: Storage
    images: Images
  }
}

/** The browser that asks, known by a cookie; hashes of its id. */
export type Browser = {
  /** Null when it has none yet. */
  known(): Buffer | null
  /** Gives it one if need be. */
  ensure(): Buffer
}

/** The world as seen from one request. */
export type Context = Services & {
  locale: Locale
  t(key: string, values?: Record<string, string | number>): string
  request: {
    ip: string
    network: string
    userAgent: string
    /** When its handler began. */
    startedAt: Date
  }
  browser: Browser
  /** The same browser by another cookie, for a way in that leads over another site. */
  flow: Browser
  /** The session behind the request's token, if there is a live one. Asks the database once. */
  identify(): Promise<Actor | null>
  /** Names a message for a toast to go with the reply. */
  setMessage(key: string, values?: Record<string, string | number>): void
  /** Says with the reply which part of a list it is. */
  page(page: Page): void
  /** With the reply, has the browser drop all that the product's pages keep in it (T-08). */
  clearStorage(): void
  /**
   * Keeps the answer for the call's Idempotency-Key, if it has one, in the transaction that does the work: after a
   * crash a repeated call finds both or neither. Whatever is said with the answer is said before.
   */
  saveIdempotentReply(tx: Tx, data: unknown): Promise<void>
  /** Counts a call of `subject`; throws a refusal when the limit is exceeded. */
  consume(limit: RateLimitKey, subject: string): Promise<void>
  /** Counts a call of `subject`; false when the limit is exceeded. */
  tryConsume(limit: RateLimitKey, subject: string): Promise<boolean>
  /** Starts an attempt at an address's password, or throws a refusal during a pause after failures. */
  beginLoginAttempt(email: string, maxCandidates: number): Promise<LoginAttempt>
}

/** The context of a signed-in user or an API key. */
export type AuthedContext = Context & {
  actor: Actor
  /** withinAccount of the actor's current account. */
  within<T>(run: (tx: Tx) => Promise<T>, how?: 'readOnlyList'): Promise<T>
}
