import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import type * as attempts from '../core/attempt-store.ts'
import { confirmationSeconds, nextCheckSeconds } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { replace } from './card-change.ts'
import { conclude, drive } from './first-plan.ts'
import { leaseOpenAttempt, withLease } from './lease.ts'
import { carryOut } from './plan-change.ts'
import { type Outcome, rollback } from './rollback.ts'

/**
 * Looks after an attempt that nobody may be looking after any more: what the provider has finished is recorded, what
 * the person may still be confirming is left for 23 hours, anything else is taken back. It never charges by itself:
 * the visitor was told that nothing happened and may be gone.
 */
export async function settleAttempt(services: Services, data: { account_id: string; attempt_id: string }) {
  const attempt = await leaseOpenAttempt(services, data)
  if (attempt === null) return
  if (attempt === 'busy') return lookAgain(services, data, 0)
  const age = (services.now().getTime() - attempt.created_at.getTime()) / 1000
  try {
    const outcome = await withLease(services, attempt, () =>
      settle(services, attempt, age > confirmationSeconds),
    )
    if (outcome.kind === 'action' || outcome.kind === 'pending') await lookAgain(services, data, age)
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    // Not left to the queue's own retries: those come to an end, and an open attempt must not.
    services.log.warn({ err: error, ...data }, 'payment provider down')
    await lookAgain(services, data, age)
  }
}

async function settle(services: Services, attempt: attempts.Attempt, late: boolean): Promise<Outcome> {
  const { payments } = services.outside
  const { account_id } = attempt
  if (late) return rollback(services, attempt, 'payment_not_authorized')
  if (attempt.kind === 'change') return carryOut(services, attempt, false)
  if (attempt.kind === 'card') return settleCard(services, attempt)
  const { stripe_customer_id } = await services.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  const standing = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  const made = attempt.provider_sub_id ?? standing.find(one => one.attemptId === attempt.id)?.id
  if (made) return conclude(services, attempt, made)
  if (attempt.setup_intent_id) {
    const setup = await payments.readSetup(attempt.setup_intent_id)
    // The person has confirmed the card for a trial, which costs nothing yet: they get it, or are still at it.
    if (setup.status === 'succeeded' || setup.status === 'requires_action') return drive(services, attempt)
  }
  return rollback(services, attempt, 'payment_provider_down')
}

/** A card that the bank has agreed to takes its place, which costs nothing; one that it never heard of does not. */
const settleCard = (services: Services, attempt: attempts.Attempt): Promise<Outcome> =>
  attempt.replaced_at || attempt.setup_intent_id
    ? replace(services, attempt, false)
    : rollback(services, attempt, 'payment_provider_down')

async function lookAgain(services: Services, data: { account_id: string; attempt_id: string }, age: number) {
  const afterSeconds = nextCheckSeconds(age, services.config.settleAfterSeconds)
  await services.withinAccount(data.account_id, tx =>
    services.enqueue(tx, 'billing.settle', data, { afterSeconds, key: data.attempt_id }),
  )
}
