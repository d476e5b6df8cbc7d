import type { Tx } from '../../../db/transaction.ts'

type ChallengeRow = {
  challenge_hash: Buffer
  browser: Buffer
  user_id: string | null
  session_id: string | null
  purpose: 'register' | 'sign_in' | 'prove'
  created_at: Date
  expires_at: Date
}

type PasskeyRow = {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string
  synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

const shown = ['id', 'name', 'synced', 'created_at', 'last_used_at'] as const

export async function insertChallenge(tx: Tx, row: ChallengeRow) {
  await tx.insertInto('passkey_challenges').values(row).execute()
}

/** Uses a challenge once, for its browser, session and purpose. */
export function consumePasskeyChallenge(
  tx: Tx,
  by: Pick<ChallengeRow, 'challenge_hash' | 'browser' | 'purpose' | 'user_id' | 'session_id'> & { now: Date },
) {
  return tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', by.challenge_hash)
    .where('browser', '=', by.browser)
    .where('purpose', '=', by.purpose)
    .where('user_id', 'is not distinct from', by.user_id)
    .where('session_id', 'is not distinct from', by.session_id)
    .where('expires_at', '>', by.now)
    .returning('challenge_hash')
    .executeTakeFirst()
}

/** The user handle, created with the first passkey. */
export async function ensureHandle(tx: Tx, userId: string, fresh: Buffer): Promise<Buffer> {
  await tx
    .insertInto('passkey_handles')
    .values({ user_id: userId, handle: fresh })
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .execute()
  const row = await tx
    .selectFrom('passkey_handles')
    .select('handle')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.handle
}

export function listPasskeys(tx: Tx, userId: string) {
  return tx
    .selectFrom('passkeys')
    .select([...shown, 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** @returns undefined when a user has this credential already */
export function insertPasskey(tx: Tx, row: PasskeyRow) {
  return tx
    .insertInto('passkeys')
    .values(row)
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning(shown)
    .executeTakeFirst()
}

/** The passkey of a credential; undefined for an unverified user. */
export function findCredential(tx: Tx, credentialId: Buffer) {
  return tx
    .selectFrom('passkeys')
    .innerJoin('passkey_handles', 'passkey_handles.user_id', 'passkeys.user_id')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.verified_at', 'is not', null)
    .select([
      'passkeys.id',
      'passkeys.user_id',
      'passkeys.name',
      'passkeys.public_key',
      'passkey_handles.handle',
    ])
    .executeTakeFirst()
}

/**
 * Counts a signature. Undefined when the counter has not grown, which shows a copied key, or when the passkey was
 * removed. Authenticators without a counter always send 0.
 */
export function countPasskeyUse(tx: Tx, id: string, use: { counter: number; synced: boolean; now: Date }) {
  return tx
    .updateTable('passkeys')
    .set({ counter: use.counter, synced: use.synced, last_used_at: use.now })
    .where('id', '=', id)
    .where(eb =>
      eb.or([eb('counter', '<', use.counter), eb.and([eb('counter', '=', 0), eb.val(use.counter === 0)])]),
    )
    .returning('id')
    .executeTakeFirst()
}

export async function hasPasskey(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('passkeys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export function renamePasskey(tx: Tx, userId: string, id: string, name: string) {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(shown)
    .executeTakeFirst()
}

export function removePasskey(tx: Tx, userId: string, id: string) {
  return tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
}
