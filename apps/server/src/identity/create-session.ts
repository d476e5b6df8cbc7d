import type { SignInReply } from '@plinth/contract'
import type { Context, Tx } from '../context.ts'
import { refuseMissingReference } from '../lib/constraint-errors.ts'
import { hashToken, newToken } from '../lib/crypto.ts'
import { newId } from '../lib/ids.ts'
import { invariant } from '../lib/invariant.ts'
import { Refusal } from '../lib/refusal.ts'
import { lifetimes } from './session-lifetimes.ts'
import * as store from './session-store.ts'
import { toSessionUser } from './session-user.ts'

const challengeMinutes = 10

/** How a session was created. `asks`: users with a second factor must show it. */
const methods = {
  sign_up: { asks: true },
  password: { asks: true },
  verification: { asks: true },
  invite: { asks: true },
  switch: { asks: true },
  magic: { asks: true },
  reset: { asks: true },
  social: { asks: true },
  saml: { asks: true },
  // A passkey is two factors: the device, and its PIN or biometrics.
  passkey: { asks: false },
  // Support can't have the user's code; the master showed a second factor when creating the link.
  impersonation: { asks: false },
} as const
export type Method = keyof typeof methods

/** The method that a challenge has stored. */
export function parseSignInMethod(stored: string): Method {
  if (!Object.hasOwn(methods, stored)) throw new Error(`Unknown sign-in method: ${stored}`)
  return stored as Method // as: checked above
}

/** A replaced session passes these on: a new token is neither a new sign-in nor a longer session. */
type Inherited = {
  authenticated_at: Date
  expires_at: Date
  second_factor: boolean
  created_at: Date
  sign_in_id: string
}

type Options = {
  /** Id of the account to open; default: the user's default account. */
  wanted?: string | null
  /** Values of the session that this one replaces. */
  inherited?: Inherited
  /** The hash that the password was verified against, before the transaction. It must still be the user's hash. */
  verified?: string | null
  /** The second factor has just been verified. */
  secondFactor?: boolean
  /** The master acting as the user, and the end of the session. */
  impersonation?: { by: string; until: Date }
  /** An earlier end of the session set by the identity provider. */
  until?: Date | null
}

/**
 * All sign-in methods create their session here or in createPasswordSession(). SQL create_session() is the only writer of
 * sessions and asks for the second factor.
 * @returns the session user with the token, which exists nowhere else in clear; or a challenge for the second step
 */
export async function createSession(
  ctx: Context,
  tx: Tx,
  user: { id: string },
  method: Method,
  options: Options = {},
): Promise<SignInReply> {
  const { wanted = null, verified = null, until = null } = options
  const { token, row } = newSession(ctx, user, method, options)
  const by = { wanted_account_id: wanted, password_hash: verified, asks_second_factor: !row.second_factor }
  const { account, session } = await store
    .insertSession(tx, by, row)
    .catch(refuseMissingReference('sign_in_again'))
  const { account_id } = unlessRefused(account, verified)
  if (!session)
    return createChallenge(ctx, tx, { user_id: user.id, method, account_id, session_until: until })
  if (session.new_device) await ctx.enqueue(tx, 'sessions.new_device', { session_id: row.id })
  return { ...toSessionUser(invariant(session.actor, 'the session just written')), token }
}

/**
 * Creates a session after a verified password, in a single statement because most sign-ins are of this kind. Falls back
 * to createSession() when a challenge or a mail must be written with it.
 */
export async function createPasswordSession(
  ctx: Context,
  user: { id: string },
  by: { verified: string },
): Promise<SignInReply> {
  const { token, row } = newSession(ctx, user, 'password', by)
  const { account, session } = await ctx
    .withoutTransaction(tx => store.insertPasswordSession(tx, by.verified, row))
    .catch(refuseMissingReference('sign_in_again'))
  unlessRefused(account, by.verified)
  if (!session) return ctx.asSystem('sign-in', tx => createSession(ctx, tx, user, 'password', by))
  return { ...toSessionUser(invariant(session.actor, 'the session just written')), token }
}

/** The row of a new session, and its token. Only the hash of the token is stored. */
function newSession(
  ctx: Context,
  user: { id: string },
  method: Method,
  { inherited, secondFactor = inherited?.second_factor ?? false, impersonation, until = null }: Options,
): { token: string; row: store.SessionRow } {
  const now = ctx.now()
  const token = newToken()
  const row = {
    id: newId(now.getTime()),
    token_hash: hashToken(token),
    user_id: user.id,
    method,
    second_factor: secondFactor || !methods[method].asks,
    impersonator_id: impersonation?.by ?? null,
    user_agent: ctx.request.userAgent,
    network: ctx.request.network,
    browser_hash: impersonation ? null : ctx.browser.ensure(),
    now,
    created_at: inherited?.created_at ?? now,
    sign_in_id: inherited?.sign_in_id ?? null,
    lifetimes,
    authenticated_at: inherited?.authenticated_at ?? now,
    expires_at: earliest(impersonation?.until, inherited?.expires_at, until),
  }
  return { token, row }
}

function unlessRefused(account: store.ChosenAccount | null, verified: string | null): store.ChosenAccount {
  // The password has changed or the user was deleted after the first factor was verified.
  if (!account)
    throw verified ? new Refusal('credentials_wrong', { field: 'password' }) : new Refusal('sign_in_again')
  if (account.sso_required) throw new Refusal('sso_required')
  return account
}

/** Null when no end is given: the session then lasts as long as its lifetime allows. */
function earliest(...ends: (Date | null | undefined)[]): Date | null {
  const given = ends.filter(end => end instanceof Date).map(end => end.getTime())
  return given.length ? new Date(Math.min(...given)) : null
}

/** Creates the challenge that the second step answers. */
async function createChallenge(
  ctx: Context,
  tx: Tx,
  first: { user_id: string; method: Method; account_id: string; session_until: Date | null },
): Promise<SignInReply> {
  const now = ctx.now()
  const token = newToken()
  await store.insertChallenge(tx, {
    ...first,
    id: newId(now.getTime()),
    token_hash: hashToken(token),
    created_at: now,
    expires_at: new Date(now.getTime() + challengeMinutes * 60_000),
  })
  return { token, '2fa_required': true }
}
