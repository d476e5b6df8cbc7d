import type { PlanId } from '@plinth/contract/plans'
import type { Services } from '../../src/context.ts'

/** Sets a paid plan directly, for tests of plan limits. */
export async function usePlan<T extends { account_id: string }>(
  services: Services,
  owner: T,
  plan: PlanId,
): Promise<T> {
  const { account_id } = owner
  const row = { account_id, plan, provider_status: 'active', status: 'active', synced_at: services.now() }
  await services.asSystem('test', async tx => {
    await tx.updateTable('accounts').set({ plan }).where('id', '=', account_id).execute()
    await tx
      .insertInto('subscriptions')
      .values(row)
      .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
      .execute()
  })
  return owner
}
