import type { Tx } from '../../db/transaction.ts'

export type FeedbackRow = {
  id: string
  account_id: string
  user_id: string
  rating: string
  comment: string
  created_at: Date
}

export async function insertFeedback(tx: Tx, row: FeedbackRow) {
  await tx.insertInto('feedback').values(row).execute()
}
