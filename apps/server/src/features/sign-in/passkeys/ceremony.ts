import { randomBytes } from 'node:crypto'
import type { Context, Tx } from '../../../context.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { minutes } from './rules.ts'
import * as store from './store.ts'

/** The relying party. Never read from the request: a passkey works for this host only. */
export function relyingParty(ctx: Context) {
  const { origin, hostname } = new URL(ctx.config.publicUrl)
  return { origin, id: hostname }
}

/** The purpose of a ceremony, with its user and session. */
type For =
  | { purpose: 'register'; user_id: string; session_id: null }
  | { purpose: 'sign_in'; user_id: null; session_id: null }
  | { purpose: 'prove'; user_id: string; session_id: string }

export const ceremonyMs = minutes * 60_000

/** A passkey in the format of WebAuthn options. */
export const toDescriptor = (key: { credential_id: Buffer; transports: string }) => ({
  id: key.credential_id.toString('base64url'),
  type: 'public-key' as const,
  transports: key.transports.split(' ').filter(Boolean),
})

/** Starts a ceremony of this browser. @returns its challenge, of which only the hash is stored */
export async function startCeremony(ctx: Context, tx: Tx, what: For): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const now = ctx.now()
  await store.insertChallenge(tx, {
    ...what,
    challenge_hash: hashToken(challenge),
    browser: ctx.browser.ensure(),
    created_at: now,
    expires_at: new Date(now.getTime() + ceremonyMs),
  })
  return challenge
}

/**
 * Ends the ceremony of a browser's reply. Uses the challenge whatever the result; of parallel calls one continues.
 * @returns the challenge that was signed
 */
export async function finishCeremony(ctx: Context, clientDataJSON: string, what: For): Promise<string> {
  const challenge = parseChallenge(clientDataJSON)
  const browser = ctx.browser.known()
  const taken =
    challenge &&
    browser &&
    (await ctx.asSystem('finish a passkey ceremony', tx =>
      store.consumePasskeyChallenge(tx, {
        ...what,
        challenge_hash: hashToken(challenge),
        browser,
        now: ctx.now(),
      }),
    ))
  if (!challenge || !taken) throw new Refusal('passkey_expired')
  return challenge
}

function parseChallenge(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const has = typeof said === 'object' && said !== null && 'challenge' in said
    return has && typeof said.challenge === 'string' ? said.challenge : null
  } catch {
    return null // invalid JSON contains no challenge
  }
}
