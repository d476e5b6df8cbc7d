import { randomBytes } from 'node:crypto'
import type { Context, Tx } from '../../../context.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { minutes } from './rules.ts'
import * as store from './store.ts'

/** Who we are to an authenticator. Never read from a request: a passkey answers to this name alone (T-05). */
export function relyingParty(ctx: Context) {
  const { origin, hostname } = new URL(ctx.config.publicUrl)
  return { origin, id: hostname }
}

/** What a browser is asked for, and for whom; a proof is for the session that asks. */
type For =
  | { purpose: 'register'; user_id: string; session_id: null }
  | { purpose: 'sign_in'; user_id: null; session_id: null }
  | { purpose: 'prove'; user_id: string; session_id: string }

export const timeout = minutes * 60_000

/** A passkey as a browser is told of it. */
export const described = (key: { credential_id: Buffer; transports: string }) => ({
  id: key.credential_id.toString('base64url'),
  type: 'public-key' as const,
  transports: key.transports.split(' ').filter(Boolean),
})

/** Begins a ceremony of this browser. @returns its challenge, of which only the hash is kept */
export async function begin(ctx: Context, tx: Tx, what: For): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const now = ctx.now()
  await store.insertChallenge(tx, {
    ...what,
    challenge_hash: hashToken(challenge),
    browser: ctx.browser.ensure(),
    created_at: now,
    expires_at: new Date(now.getTime() + timeout),
  })
  return challenge
}

/**
 * Ends the ceremony that a browser's answer belongs to: whatever comes of the answer, its challenge is used up, and of
 * fifty calls with the same one goes on (T-13).
 * @returns the challenge that was signed
 */
export async function end(ctx: Context, clientDataJSON: string, what: For): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const browser = ctx.browser.known()
  const taken =
    challenge &&
    browser &&
    (await ctx.asSystem('end a passkey ceremony', tx =>
      store.takeChallenge(tx, { ...what, challenge_hash: hashToken(challenge), browser, now: ctx.now() }),
    ))
  if (!challenge || !taken) throw new Refusal('passkey_expired')
  return challenge
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const has = typeof said === 'object' && said !== null && 'challenge' in said
    return has && typeof said.challenge === 'string' ? said.challenge : null
  } catch {
    return null // what is no JSON names no challenge
  }
}
