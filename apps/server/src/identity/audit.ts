import type { AuditAction } from '@plinth/contract/audit-actions'
import type { Context, Services, Tx } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { type AuditRow, insertAudit } from './audit-store.ts'
import { findAccountsOfUser } from './user-store.ts'

export type AuditEvent = Omit<AuditRow, 'id' | 'created_at' | 'metadata' | 'action'> & {
  action: AuditAction
  metadata?: AuditRow['metadata']
}

/** Writes a line of the account's audit log in the transaction of the change. */
export async function recordAudit(services: Services, tx: Tx, { metadata = {}, ...event }: AuditEvent) {
  const created_at = services.now()
  await insertAudit(tx, { ...event, metadata, id: newId(created_at.getTime()), created_at })
}

/** Records a change of a user's sign-in methods in every account of the user: it affects all of them. */
export async function recordUserAudit(
  ctx: Context,
  tx: Tx,
  userId: string,
  { action, target = userId, metadata = {} }: Pick<AuditEvent, 'action' | 'metadata'> & { target?: string },
) {
  for (const { id: account_id } of await findAccountsOfUser(tx, userId))
    await recordAudit(ctx, tx, {
      account_id,
      user_id: userId,
      action,
      target,
      metadata,
      network: ctx.request.network,
    })
}
