import type { Tx } from '../../db/open.ts'
import type { Json } from '../../db/schema.generated.ts'

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
