import type { Quote } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { type Attempt, findAttemptByIntent } from '../core/attempt-store.ts'
import { isSamePromotionCode } from '../core/rules.ts'
import { hasSameQuote } from '../prices/quote.ts'

export type PaidPlan = Exclude<PlanId, 'free'>

/** The request of a call: a first plan, another plan for a running subscription, or another card. */
export type PlanRequest = {
  token: string | null
  /** A promotion code. */
  code: string | null
  /** The price that the user agreed to. */
  quote: Quote | null
  /** The call names one of the account's own payment objects: the user comes back from the bank. */
  confirmed: boolean
} & (
  | { kind: 'first'; plan: PaidPlan }
  /** `previewed`: the second since 1970 at which the preview divided the period. */
  | { kind: 'change'; plan: PlanId; previewed?: number | undefined }
  | { kind: 'card'; plan: null }
)

/** Whether an attempt was made for the same request, so that a repeated call continues it. */
export const isSameRequest = (attempt: Attempt, request: PlanRequest): boolean =>
  attempt.kind === request.kind &&
  attempt.plan === request.plan &&
  (request.confirmed ||
    (isSamePromotionCode(request.code, attempt.promotion_code) &&
      hasSameQuote(attempt, request.quote) &&
      (!request.token || request.token === attempt.card_token)))

/** Refuses a payment object that belongs to no attempt of this account. */
export async function assertOwnIntents(
  ctx: AuthedContext,
  named: { payment_intent?: string | undefined; setup_intent?: string | undefined },
): Promise<{ confirmed: boolean; failure: RefusalCode | null }> {
  const kinds = { payment_intent: 'payment_intent_id', setup_intent: 'setup_intent_id' } as const
  let attempt: Attempt | undefined
  for (const field of ['payment_intent', 'setup_intent'] as const) {
    const intent = named[field]
    if (!intent) continue
    attempt = await ctx.within(tx => findAttemptByIntent(tx, ctx.actor.account_id, kinds[field], intent))
    if (!attempt)
      throw new Refusal('invalid_input', {
        field,
        text: 'form.invalid',
        values: { label: ctx.t(`fields.${field}`) },
      })
  }
  const failure = attempt?.state === 'failed' ? (attempt.failure as RefusalCode) : null // as: only failAttempt writes it, from a code
  return { confirmed: attempt !== undefined, failure }
}
