import type { Tx } from '../../../db/transaction.ts'

export type WebhookRow = {
  id: string
  type: string
  customer_id: string | null
  subscription_id: string | null
  object_id: string | null
  created_at: Date
}

/** @returns false for a duplicate */
export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<boolean> {
  const rows = await tx
    .insertInto('payment_webhooks')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length > 0
}

export function findWebhook(tx: Tx, id: string) {
  return tx.selectFrom('payment_webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function markWebhookHandled(tx: Tx, id: string, now: Date) {
  await tx.updateTable('payment_webhooks').set({ handled_at: now }).where('id', '=', id).execute()
}

/** Webhooks whose job failed for good. */
export async function findUnhandledWebhooks(tx: Tx, by: { before: Date; limit: number }): Promise<string[]> {
  const rows = await tx
    .selectFrom('payment_webhooks')
    .select('id')
    .where('handled_at', 'is', null)
    .where('received_at', '<', by.before)
    .orderBy('received_at')
    .limit(by.limit)
    .execute()
  return rows.map(row => row.id)
}
