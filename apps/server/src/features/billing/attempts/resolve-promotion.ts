import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import type { Attempt } from '../core/attempt-store.ts'
import { findAccount } from '../core/store.ts'
import { findPromotion } from '../prices/promotion.ts'
import { saveProgress } from './progress.ts'
import { refuse } from './rollback.ts'
import type { StepResult } from './step.ts'

/**
 * Stores the promotion of the attempt's code before any other step, so that a repeated run charges the same price even
 * if the attempt itself used the code up.
 * @param preview asks the provider for the price, which also checks conditions that only the provider knows
 */
export async function resolvePromotion(
  services: Services,
  attempt: Attempt,
  preview: (attempt: Attempt) => Promise<unknown>,
): Promise<StepResult> {
  const { account_id, promotion_code: code, promotion_id, plan, kind, trial_days } = attempt
  if (code === null || promotion_id !== null || !isPlanId(plan)) return { attempt }
  const { stripe_customer_id: customer } = await services.withinAccount(account_id, tx =>
    findAccount(tx, account_id),
  )
  const whole = kind === 'first' && trial_days === 0
  const found = await findPromotion(services, code, { plan: planOf(plan), customer, whole })
  if (typeof found === 'string') return refuse(services, attempt, found)
  await preview({ ...attempt, promotion_id: found.id })
  return { attempt: await saveProgress(services, attempt, { promotion_id: found.id }) }
}
