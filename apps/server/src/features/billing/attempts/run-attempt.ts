import type { Services } from '../../../context.ts'
import {
  isCustomerGone,
  isPaymentsError,
  isPromotionRefused,
  type PaymentsError,
} from '../../../integrations/stripe/payments.ts'
import { type Attempt, findAttempt } from '../core/attempt-store.ts'
import { removeDeletedCustomer } from '../sync/deleted-customer.ts'
import { cardChange } from './card-change.ts'
import { firstPlan } from './first-plan.ts'
import { planChange } from './plan-change.ts'
import { rollback } from './rollback.ts'
import type { AttemptKind, Outcome, Run, StepResult } from './step.ts'

/** No kind has more steps; more of them means that the provider undoes what we do. */
const maxSteps = 6

const kindOf = ({ kind }: Attempt): AttemptKind =>
  kind === 'change' ? planChange : kind === 'card' ? cardChange : firstPlan

/**
 * Runs an attempt until it is done or refused, or until the bank or the provider has to act. Never call it in a
 * transaction. It can be repeated after a crash at any point: every step starts from stored progress or a fresh read,
 * and every write at the provider has an idempotency key of the attempt.
 */
export async function runAttempt(
  services: Services,
  attempt: Attempt,
  { charging }: Pick<Run, 'charging'>,
): Promise<Outcome> {
  try {
    return await runSteps(services, attempt, charging)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return rollback(services, attempt, error.code)
    if (isPromotionRefused(error)) return rollback(services, attempt, 'promotion_code_unfit')
    if (!isPaymentsError(error, 'conflict', 'missing', 'rejected')) throw error
    return giveUp(services, attempt, error, charging)
  }
}

async function runSteps(services: Services, attempt: Attempt, charging: boolean): Promise<Outcome> {
  const kind = kindOf(attempt)
  const run: Run = { charging, moved: false, confirmed: false }
  let result: StepResult = await kind.prepare(services, attempt, run)
  for (let count = 0; count < maxSteps; count++) {
    if ('outcome' in result) return result.outcome
    run.moved ||= result.moved ?? false
    run.confirmed ||= result.confirmed ?? false
    result = await kind.step(services, result.attempt, run)
  }
  if ('outcome' in result) return result.outcome
  throw new Error(`Attempt ${attempt.id} takes more than ${maxSteps} steps`)
}

/**
 * Handles an error that a retry of the same calls would repeat, such as an outdated price. If the customer was deleted
 * at the provider, a first plan without a saved card starts over with a new customer.
 */
async function giveUp(
  services: Services,
  attempt: Attempt,
  error: PaymentsError,
  charging: boolean,
): Promise<Outcome> {
  const { account_id, id, kind } = attempt
  services.log.error({ err: error, attempt: id, kind }, 'the payment provider rejected an attempt')
  services.integrations.payments.clearPriceCache()
  // A plan change reads the subscription first, which has ended when its customer was deleted.
  const customerRemoved =
    kind !== 'change' &&
    isCustomerGone(error) &&
    (await removeDeletedCustomer(services, account_id, { unknownToo: true }))
  if (customerRemoved && kind === 'card') return rollback(services, attempt, 'card_unneeded')
  if (customerRemoved) {
    const current = await services.withinAccount(account_id, tx => findAttempt(tx, account_id, id))
    if (current && current.state !== 'failed' && !current.card_id)
      return runAttempt(services, current, { charging })
  }
  return rollback(services, attempt, 'payment_rejected')
}
