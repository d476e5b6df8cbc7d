import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { leaseOpenAttempt, withLease } from './lease.ts'
import { rollback } from './rollback.ts'
import { confirmationSeconds, nextCheckSeconds } from './rules.ts'
import { runAttempt } from './run-attempt.ts'

type Data = { account_id: string; attempt_id: string }

/**
 * The settle job: finishes an attempt whose caller may be gone. It records what the provider has completed, waits up to
 * 23 hours for a confirmation, and rolls everything else back. It never starts a charge: the caller already got
 * a refusal.
 */
export async function settleAttempt(services: Services, data: Data) {
  const attempt = await leaseOpenAttempt(services, data)
  if (attempt === null) return
  if (attempt === 'busy') return checkAgain(services, data, 0)
  const age = (services.now().getTime() - attempt.created_at.getTime()) / 1000
  try {
    const outcome = await withLease(services, attempt, () =>
      age > confirmationSeconds
        ? rollback(services, attempt, 'payment_not_authorized')
        : runAttempt(services, attempt, { charging: false }),
    )
    if (outcome.kind === 'action' || outcome.kind === 'pending') await checkAgain(services, data, age)
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    // The queue's own retries are limited; an open attempt must be checked until it ends.
    services.log.warn({ err: error, ...data }, 'payment provider down')
    await checkAgain(services, data, age)
  }
}

async function checkAgain(services: Services, data: Data, age: number) {
  const afterSeconds = nextCheckSeconds(age, services.config.settleAfterSeconds)
  await services.withinAccount(data.account_id, tx =>
    services.enqueue(tx, 'billing.settle', data, { afterSeconds, key: data.attempt_id }),
  )
}
