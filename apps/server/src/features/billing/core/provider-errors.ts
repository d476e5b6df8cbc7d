import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'

/** Maps an unavailable provider to a refusal that the user sees. */
export async function mapUnavailable<T>(services: Services, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    services.log.warn({ err: error }, 'payment provider down')
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  }
}
