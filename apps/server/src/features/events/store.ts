import type { Json } from '../../db/schema.generated.ts'
import type { Tx } from '../../db/transaction.ts'

export type EventRow = {
  id: string
  account_id: string
  user_id: string | null
  name: string
  metadata: Json
  created_at: Date
}

export async function insertEvents(tx: Tx, rows: EventRow[]) {
  await tx.insertInto('events').values(rows).execute()
}
