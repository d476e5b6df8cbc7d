import type { Tx } from '../../db/open.ts'
import type { Json } from '../../db/schema.generated.ts'

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
