import type { AuditAction } from '@plinth/contract/audit-actions'
import type { Tx, World } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { type AuditRow, findTargets, insertAudit } from './store.ts'

export type Deed = Omit<AuditRow, 'id' | 'created_at' | 'metadata' | 'action'> & {
  action: AuditAction
  metadata?: AuditRow['metadata']
}

/** Writes who did what into the account's log, in the transaction in which it is done. */
export async function audit(world: World, tx: Tx, { metadata = {}, ...deed }: Deed) {
  const created_at = world.now()
  await insertAudit(tx, { ...deed, metadata, id: newId(created_at.getTime()), created_at })
}

/** What somebody has done a thing to since then, in all their accounts. */
export const targetsOf = (
  tx: Tx,
  by: { user_id: string; action: AuditAction; since: Date },
): Promise<string[]> => findTargets(tx, by)
