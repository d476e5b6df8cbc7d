import type { Json } from '../db/schema.generated.ts'
import type { Tx } from '../db/transaction.ts'

export type AuditRow = {
  id: string
  account_id: string
  user_id: string | null
  action: string
  target: string
  metadata: Json
  network: string
  created_at: Date
}

export async function insertAudit(tx: Tx, row: AuditRow) {
  await tx.insertInto('audit_log').values(row).execute()
}

/** The targets of a user's actions of one kind since a time, in all accounts. */
export async function findAuditTargets(
  tx: Tx,
  { user_id, action, since }: { user_id: string; action: string; since: Date },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('audit_log')
    .select('target')
    .distinct()
    .where('user_id', '=', user_id)
    .where('action', '=', action)
    .where('created_at', '>=', since)
    .execute()
  return rows.flatMap(({ target }) => target ?? [])
}
