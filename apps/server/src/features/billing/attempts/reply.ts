import type { RefusalCode } from '@plinth/contract/refusals'
import { Refusal } from '../../../lib/refusal.ts'
import { promotionRefusal } from '../prices/promotion.ts'
import type { Outcome } from './step.ts'

/** The reply that sends the user to the bank; any other outcome that is not done is a refusal. */
export function confirmationReply(outcome: Exclude<Outcome, { kind: 'done' }>) {
  if (outcome.kind === 'refused') throw refusalFor(outcome.code)
  if (outcome.kind === 'pending') throw refusalFor('operation_in_flight')
  const { client_secret, confirms: kind } = outcome
  return { requires_payment_action: true as const, client_secret, kind }
}

/** The field that a refusal belongs to: the card, unless the plan or the code is the reason. */
export function refusalFor(code: RefusalCode): Refusal {
  if (code === 'payment_provider_down') return new Refusal(code, { retryAfter: 5 })
  if (code === 'operation_in_flight') return new Refusal(code, { retryAfter: 2 })
  if (code === 'payment_rejected') return new Refusal(code)
  if (code === 'plan_taken' || code === 'payment_due' || code === 'collection_paused')
    return new Refusal(code, { field: 'plan' })
  if (code.startsWith('promotion_code_')) return promotionRefusal(code)
  if (code === 'invalid_input') return new Refusal(code, { field: 'token', text: 'refusals.card_required' })
  return new Refusal(code, { field: 'token' })
}
