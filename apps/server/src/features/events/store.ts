import type { Tx } from '../../db/open.ts'
import type { Json } from '../../db/schema.generated.ts'

export type EventRow = {
  id: string
  account_id: string
  user_id: string
  name: string
  metadata: Json
  created_at: Date
}

export async function insertEvent(tx: Tx, row: EventRow) {
  await tx.insertInto('events').values(row).execute()
}
