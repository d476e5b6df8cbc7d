import type { Tx } from '../../../context.ts'

export type EmailChange = {
  id: string
  user_id: string
  old_email: string
  new_email: string
  confirm_hash: Buffer
  confirm_expires_at: Date
  undo_hash: Buffer
  created_at: Date
  expires_at: Date
  ways_in_since: Date
  sign_in_began: Date
}

export async function insertChange(tx: Tx, row: EmailChange) {
  await tx.insertInto('email_changes').values(row).execute()
}

/** Drops the pending address. The undo links of earlier requests keep working. */
export async function dropPendingEmail(tx: Tx, userId: string) {
  await tx
    .updateTable('email_changes')
    .set({ pending: false })
    .where('user_id', '=', userId)
    .where('pending', '=', true)
    .execute()
}

export function findPending(tx: Tx, userId: string) {
  return tx
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'new_email'])
    .where('user_id', '=', userId)
    .where('pending', '=', true)
    .executeTakeFirst()
}

/** A new link to the new address; the one before is void. */
export async function renewConfirmation(
  tx: Tx,
  id: string,
  link: { confirm_hash: Buffer; confirm_expires_at: Date },
) {
  await tx.updateTable('email_changes').set(link).where('id', '=', id).execute()
}

type Link = { confirm_hash: Buffer; user_id: string; now: Date }

export function findConfirmation(tx: Tx, { confirm_hash, user_id, now }: Link) {
  return tx
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'new_email'])
    .where('confirm_hash', '=', confirm_hash)
    .where('user_id', '=', user_id)
    .where('pending', '=', true)
    .where('confirm_expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses the link up: of any number of parallel tries one is answered true. */
export async function takeConfirmation(tx: Tx, link: Link): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('email_changes')
    .set({ pending: false })
    .where('confirm_hash', '=', link.confirm_hash)
    .where('user_id', '=', link.user_id)
    .where('pending', '=', true)
    .where('confirm_expires_at', '>', link.now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function findUndo(tx: Tx, undo_hash: Buffer, now: Date) {
  return tx
    .selectFrom('email_changes')
    .select(['id', 'user_id', 'old_email', 'created_at', 'ways_in_since', 'sign_in_began'])
    .where('undo_hash', '=', undo_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses the link up, and with it every change that came after; false when another try was first. */
export async function takeUndo(
  tx: Tx,
  { id, user_id, created_at }: { id: string; user_id: string; created_at: Date },
) {
  const gone = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', user_id)
    .where('created_at', '>=', created_at)
    .returning('id')
    .execute()
  return gone.some(row => row.id === id)
}

export async function setEmail(tx: Tx, userId: string, email: string) {
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute()
}

/** When the sign-in began that a session came from; nothing once the session has ended. */
export async function findSignInStart(tx: Tx, sessionId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.created_at
}

/** A second factor that the user has had only since then. Set up again is not new. */
export async function removeSecondFactorSince(tx: Tx, userId: string, began: Date) {
  await tx
    .deleteFrom('two_factors')
    .where('user_id', '=', userId)
    .where(eb => eb(eb.fn.coalesce('since', 'enabled_at'), '>=', began))
    .execute()
}

/** Ways in that came since: whoever took the address may have left them behind. */
export async function removeWaysInSince(tx: Tx, userId: string, since: Date) {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  // A link that an employer's connection made is made again at the next sign-in.
  await tx
    .deleteFrom('sso_identities')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .execute()
}
