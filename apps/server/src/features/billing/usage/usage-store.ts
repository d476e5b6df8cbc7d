import type { Tx } from '../../../context.ts'

/** The usage of a period, excluding its end. */
export async function sumOfPeriod(
  tx: Tx,
  accountId: string,
  { meter, start, end }: { meter: string; start: Date; end: Date },
): Promise<number> {
  const { total } = await tx
    .selectFrom('usage_events')
    .select(({ fn }) => fn.sum<string | null>('quantity').as('total'))
    .where('account_id', '=', accountId)
    .where('meter', '=', meter)
    .where('occurred_at', '>=', start)
    .where('occurred_at', '<', end)
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/** The usage of a month. @param month as in 2026-11 */
export async function sumOfMonth(tx: Tx, accountId: string, month: string): Promise<number> {
  const found = await tx
    .selectFrom('usage_months')
    .select('total')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .executeTakeFirst()
  return Number(found?.total ?? 0)
}
