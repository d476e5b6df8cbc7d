import type { Services } from '../../../context.ts'
import {
  isPaymentsError,
  isPromotionRefused,
  type PaymentsError,
} from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import { isRunning, nextStep, type Step } from '../core/rules.ts'
import { planChangeOf } from '../prices/plan-change.ts'
import { verifyQuote } from '../prices/verify-quote.ts'
import { type ProviderSnapshot, sync } from '../sync/sync.ts'
import { reportUsageOfAccount } from '../usage/report-usage.ts'
import { halted, saveProgress, settlePromotion } from './first-plan.ts'
import { dropOthers, putCard } from './replace-saved-card.ts'
import { type Outcome, rollback } from './rollback.ts'

type Attempt = attempts.Attempt

/** A change has at most as many steps as there are things to do, each seen in a fresh read; more is a quarrel. */
const mostSteps = 6

/**
 * Takes a change to its end, or to where the person has to confirm. Never in a transaction; may be run again from any
 * point at which it was cut off: each step follows from a fresh read, and is made under a key of the attempt.
 * @param charging false for a job: the visitor was told that nothing happened, so what costs money is not begun
 */
export async function carryOut(services: Services, attempt: Attempt, charging: boolean): Promise<Outcome> {
  try {
    const known = await settlePromotion(services, attempt, one => priceOfChange(services, one))
    if ('refused' in known) return rollback(services, attempt, known.refused)
    let current = known.attempt
    let moved = false
    for (let count = 0; count < mostSteps; count++) {
      const did = await doStep(services, current, { charging, moved })
      if ('outcome' in did) return did.outcome
      current = did.attempt
      moved ||= did.moved ?? false
    }
    throw new Error(`The change ${attempt.id} does not come to an end`)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return rollback(services, attempt, error.code)
    if (isPromotionRefused(error)) return rollback(services, attempt, 'promotion_code_unfit')
    if (isPaymentsError(error, 'conflict', 'missing', 'rejected')) return giveUp(services, attempt, error)
    throw error
  }
}

/** What we know of the provider no longer holds: this attempt can't end well, the next one can. */
function giveUp(services: Services, attempt: Attempt, error: PaymentsError): Promise<Outcome> {
  services.log.error({ err: error, attempt: attempt.id }, 'change of plan does not fit the provider any more')
  services.outside.payments.clearPriceCache()
  return rollback(services, attempt, 'payment_rejected')
}

async function priceOfChange(services: Services, attempt: Attempt) {
  const { payments } = services.outside
  const running = await payments.readSubscription(invariant(attempt.provider_sub_id, 'a subscription'))
  // What can't be changed is told where the change is made.
  if (!running || !isRunning(running.status)) return
  const change = await planChangeOf(services, attempt, running)
  await payments.previewChange(running.customer, running.id, change)
}

/** `moved`: the provider has been asked for the other plan. */
type Did = { attempt: Attempt; moved?: boolean } | { outcome: Outcome }

async function doStep(
  services: Services,
  attempt: Attempt,
  { charging, moved }: { charging: boolean; moved: boolean },
): Promise<Did> {
  const { payments } = services.outside
  const id = invariant(attempt.provider_sub_id, 'a subscription')
  const seen = await sync(services, attempt.account_id, id)
  const no = async (code: Parameters<typeof rollback>[2]) => ({
    outcome: await rollback(services, attempt, code),
  })
  if (seen?.action !== 'update') return no('operation_in_flight')
  const { subscription } = seen
  const step = nextStep(attempt, { ...subscription, plan: seen.plan })
  const isMove = attempt.plan !== 'free' && attempt.plan !== seen.plan
  // Support decides when it is charged again, and a change would be charged.
  if ((step === 'items' || (step === 'card' && isMove)) && subscription.collectionPaused)
    return no('collection_paused')
  const held = (step === 'items' || step === 'card') && !(await isOpen(services, attempt))
  if (held) return { outcome: { kind: 'pending' } }
  const priced = !moved && isFirst(step, attempt) ? await verifyQuote(services, attempt) : null
  if (priced === 'changed') return no('price_changed')
  switch (step) {
    case 'done':
      await dropOthers(services, attempt)
      return { outcome: { kind: 'done', status: seen.status } }
    case 'gone':
      return no('operation_in_flight')
    case 'owing':
      return no('payment_due')
    case 'card': {
      if (!charging && !attempt.setup_intent_id) return no('payment_provider_down')
      // To be charged at once is what asks the bank as well.
      const asks = !isMove || !(await planChangeOf(services, attempt, subscription)).bills
      return putCard(services, attempt, asks)
    }
    case 'items':
      if (!charging) return no('payment_provider_down')
      // Asked for and not there: it was withdrawn before, when its payment failed, and its key brings nothing anew.
      if (moved) return no('payment_not_authorized')
      // What a quote has not named is not billed.
      if (!attempt.quoted_state && subscription.items.some(item => item.metered))
        await reportUsageOfAccount(services, {
          account_id: attempt.account_id,
          customer: subscription.customer,
        })
      // The change whose price was compared with the quote.
      await payments.changeItems(
        id,
        priced?.change?.change ?? (await planChangeOf(services, attempt, subscription)),
        attempt.id,
      )
      crashPoint('change_plan:after_provider_update')
      return { attempt, moved: true }
    case 'end':
      await payments.planEnd(id, attempt.id)
      return { attempt }
    case 'keep':
      await payments.undoPlannedEnd(id, invariant(subscription.plannedEnd, 'a planned end'), attempt.id)
      return { attempt }
    case 'payment':
      return { outcome: await waitFor(services, attempt, seen) }
  }
}

/**
 * Whether nothing that the quote is over has been done yet. A planned end that is taken back after the other plan was
 * paid is no longer part of it.
 */
const isFirst = (step: Step, attempt: Attempt) =>
  step === 'items' ||
  step === 'end' ||
  (step === 'keep' && attempt.plan === attempt.from_plan) ||
  (step === 'card' && !attempt.card_id)

/** Money moves next: not for an attempt that somebody has closed while this process slept. */
async function isOpen(services: Services, { account_id, id }: Attempt): Promise<boolean> {
  const row = await services.withinAccount(account_id, tx => attempts.findAttempt(tx, account_id, id))
  return row?.state !== 'failed'
}

/** The change is asked for and not paid: the person confirms it, or it is withdrawn. */
async function waitFor(
  services: Services,
  attempt: Attempt,
  { payment }: ProviderSnapshot,
): Promise<Outcome> {
  if (!payment) return { kind: 'pending' }
  if (payment.status === 'requires_action')
    await saveProgress(services, attempt, { payment_intent_id: payment.id, state: 'action_required' })
  return halted(services, attempt, payment, 'payment')
}
