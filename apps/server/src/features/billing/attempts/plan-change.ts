import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services } from '../../../context.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Attempt, findAttempt } from '../core/attempt-store.ts'
import { isRunning } from '../core/rules.ts'
import { planChangeOf } from '../prices/plan-change.ts'
import { verifyQuote } from '../prices/verify-quote.ts'
import { type ProviderSnapshot, sync } from '../sync/sync.ts'
import { reportUsageOfAccount } from '../usage/report-usage.ts'
import { awaitPayment } from './progress.ts'
import { detachOtherCards, putCard } from './put-card.ts'
import { resolvePromotion } from './resolve-promotion.ts'
import { refuse } from './rollback.ts'
import { nextPlanChangeStep, type PlanChangeStep } from './rules.ts'
import type { AttemptKind, Run, StepResult } from './step.ts'

/** Another plan, or a planned end, for a running subscription; optionally with a new card. */
export const planChange: AttemptKind = {
  prepare: (services, attempt) => resolvePromotion(services, attempt, one => previewPrice(services, one)),

  async step(services, attempt, run) {
    const id = invariant(attempt.provider_sub_id, 'a subscription')
    const snapshot = await sync(services, attempt.account_id, id)
    if (snapshot?.action !== 'update') return refuse(services, attempt, 'operation_in_flight')
    return doStep(services, attempt, run, snapshot)
  },
}

async function previewPrice(services: Services, attempt: Attempt) {
  const { payments } = services.integrations
  const subscription = await payments.readSubscription(invariant(attempt.provider_sub_id, 'a subscription'))
  // The steps refuse a subscription that can't be changed.
  if (!subscription || !isRunning(subscription.status)) return
  const change = await planChangeOf(services, attempt, subscription)
  await payments.previewChange(subscription.customer, subscription.id, change)
}

async function doStep(
  services: Services,
  attempt: Attempt,
  { charging, moved }: Run,
  snapshot: ProviderSnapshot,
): Promise<StepResult> {
  const { payments } = services.integrations
  const { subscription } = snapshot
  const no = (code: RefusalCode) => refuse(services, attempt, code)
  const step = nextPlanChangeStep(attempt, { ...subscription, plan: snapshot.plan })
  const isMove = attempt.plan !== 'free' && attempt.plan !== snapshot.plan
  // Support decides when collection resumes; a plan change would charge before that.
  if ((step === 'items' || (step === 'card' && isMove)) && subscription.collectionPaused)
    return no('collection_paused')
  // Another process may have closed the attempt before this charge.
  if ((step === 'items' || step === 'card') && !(await isOpen(services, attempt)))
    return { outcome: { kind: 'pending' } }
  const priced = !moved && isQuoteDue(step, attempt) ? await verifyQuote(services, attempt) : null
  if (priced === 'changed') return no('price_changed')
  switch (step) {
    case 'done':
      await detachOtherCards(services, attempt)
      return { outcome: { kind: 'done', status: snapshot.status } }
    case 'gone':
      return no('operation_in_flight')
    case 'owing':
      return no('payment_due')
    case 'card': {
      if (!charging && !attempt.setup_intent_id) return no('payment_provider_down')
      // A change that is charged at once asks the bank with that charge.
      const asksBank = !isMove || !(await planChangeOf(services, attempt, subscription)).bills
      return putCard(services, attempt, asksBank)
    }
    case 'items':
      if (!charging) return no('payment_provider_down')
      // The change was voided after its payment failed; the same idempotency key would not create it again.
      if (moved) return no('payment_not_authorized')
      // A quote covers the usage known when it was made; without one, all usage is billed before its price goes.
      if (!attempt.quoted_state && subscription.items.some(item => item.metered))
        await reportUsageOfAccount(services, {
          account_id: attempt.account_id,
          customer: subscription.customer,
        })
      await payments.changeItems(
        subscription.id,
        priced?.change?.change ?? (await planChangeOf(services, attempt, subscription)),
        attempt.id,
      )
      crashPoint('plan_change:after_update')
      return { attempt, moved: true }
    case 'end':
      await payments.planEnd(subscription.id, attempt.id)
      return { attempt }
    case 'keep':
      await payments.undoPlannedEnd(
        subscription.id,
        invariant(subscription.plannedEnd, 'a planned end'),
        attempt.id,
      )
      return { attempt }
    case 'payment':
      return {
        outcome: snapshot.payment
          ? await awaitPayment(services, attempt, snapshot.payment)
          : { kind: 'pending' },
      }
  }
}

/** Whether nothing of the quote is done yet. Undoing a planned end after the new plan was paid is not part of it. */
const isQuoteDue = (step: PlanChangeStep, attempt: Attempt) =>
  step === 'items' ||
  step === 'end' ||
  (step === 'keep' && attempt.plan === attempt.from_plan) ||
  (step === 'card' && !attempt.card_id)

async function isOpen(services: Services, { account_id, id }: Attempt): Promise<boolean> {
  const row = await services.withinAccount(account_id, tx => findAttempt(tx, account_id, id))
  return row?.state !== 'failed'
}
