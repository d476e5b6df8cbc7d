import type { AuditAction } from '@plinth/contract/audit-actions'
import type { Services, Tx } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { type AuditRow, findTargets, insertAudit } from './store.ts'

export type AuditEvent = Omit<AuditRow, 'id' | 'created_at' | 'metadata' | 'action'> & {
  action: AuditAction
  metadata?: AuditRow['metadata']
}

/** Writes who did what into the account's log, in the transaction in which it is done. */
export async function audit(services: Services, tx: Tx, { metadata = {}, ...event }: AuditEvent) {
  const created_at = services.now()
  await insertAudit(tx, { ...event, metadata, id: newId(created_at.getTime()), created_at })
}

/** What somebody has done a thing to since then, in all their accounts. */
export const targetsOf = (
  tx: Tx,
  by: { user_id: string; action: AuditAction; since: Date },
): Promise<string[]> => findTargets(tx, by)
