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
  methods_added_since: Date
  sign_in_started_at: Date
}

export async function insertChange(tx: Tx, row: EmailChange) {
  await tx.insertInto('email_changes').values(row).execute()
}

/** Cancels the pending change. The undo links of earlier requests stay valid. */
export async function cancelPendingChange(tx: Tx, userId: string) {
  await tx
    .updateTable('email_changes')
    .set({ pending: false })
    .where('user_id', '=', userId)
    .where('pending', '=', true)
    .execute()
}

export function findPendingChange(tx: Tx, userId: string) {
  return tx
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'new_email'])
    .where('user_id', '=', userId)
    .where('pending', '=', true)
    .executeTakeFirst()
}

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

/** Uses the link; of parallel calls one gets true. */
export async function consumeConfirmation(tx: Tx, link: Link): Promise<boolean> {
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
    .select(['id', 'user_id', 'old_email', 'created_at', 'methods_added_since', 'sign_in_started_at'])
    .where('undo_hash', '=', undo_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses the link and deletes every later change. @returns false when another call used it first */
export async function consumeUndoLink(
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

/** When the sign-in of a session began; undefined when the session has ended. */
export async function findSignInStart(tx: Tx, sessionId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.created_at
}

/** Removes a second factor that was set up since then; replacing an older one does not count. */
export async function removeSecondFactorSince(tx: Tx, userId: string, began: Date) {
  await tx
    .deleteFrom('two_factors')
    .where('user_id', '=', userId)
    .where(eb => eb(eb.fn.coalesce('since', 'enabled_at'), '>=', began))
    .execute()
}

/** Removes the sign-in methods that were added since then. */
export async function removeMethodsSince(tx: Tx, userId: string, since: Date) {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx.deleteFrom('identities').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  // The account's SSO connection links the user again at the next sign-in.
  await tx
    .deleteFrom('sso_identities')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .execute()
}
