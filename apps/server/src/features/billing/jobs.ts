import type { Services } from '../../context.ts'
import { isPaymentsError } from '../../integrations/stripe/payments.ts'
import { conclude, drive } from './attempt.ts'
import { replace } from './card-attempt.ts'
import { carryOut } from './change.ts'
import { removeDeletedCustomer } from './customer.ts'
import { findHolder } from './customer-store.ts'

import { tellTrialEnds } from './dunning.ts'
import { recordProviderEvent, recordSecondSubscription } from './provider-events.ts'
import { mailReceipt } from './receipt.ts'
import { endUnwanted } from './refund.ts'
import { nextLook, patienceSeconds } from './rules.ts'
import * as store from './store.ts'
import { sync } from './sync.ts'
import { inTurn, takeOpen } from './turn.ts'
import { type Outcome, undo } from './undo.ts'

/**
 * Looks after an attempt that nobody may be looking after any more: what the provider has finished is recorded, what
 * the person may still be confirming is left for 23 hours, anything else is taken back. It never charges by itself:
 * the visitor was told that nothing happened and may be gone.
 */
export async function settleAttempt(services: Services, data: { account_id: string; attempt_id: string }) {
  const attempt = await takeOpen(services, data)
  if (attempt === null) return
  if (attempt === 'busy') return lookAgain(services, data, 0)
  const age = (services.now().getTime() - attempt.created_at.getTime()) / 1000
  try {
    const outcome = await inTurn(services, attempt, () => settle(services, attempt, age > patienceSeconds))
    if (outcome.kind === 'action' || outcome.kind === 'pending') await lookAgain(services, data, age)
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    // Not left to the queue's own retries: those come to an end, and an open attempt must not.
    services.log.warn({ err: error, ...data }, 'payment provider down')
    await lookAgain(services, data, age)
  }
}

async function settle(services: Services, attempt: store.Attempt, late: boolean): Promise<Outcome> {
  const { payments } = services.outside
  const { account_id } = attempt
  if (late) return undo(services, attempt, 'payment_not_authorized')
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
  return undo(services, attempt, 'payment_provider_down')
}

/** A card that the bank has agreed to takes its place, which costs nothing; one that it never heard of does not. */
const settleCard = (services: Services, attempt: store.Attempt): Promise<Outcome> =>
  attempt.replaced_at || attempt.setup_intent_id
    ? replace(services, attempt, false)
    : undo(services, attempt, 'payment_provider_down')

async function lookAgain(services: Services, data: { account_id: string; attempt_id: string }, age: number) {
  const afterSeconds = nextLook(age, services.config.settleAfterSeconds)
  await services.withinAccount(data.account_id, tx =>
    services.enqueue(tx, 'billing.settle', data, { afterSeconds, key: data.attempt_id }),
  )
}

/**
 * A message says that something changed; what, is read from the provider. So it does not matter how often, how late
 * or in which order messages come. One about a customer that is not ours is done with at once.
 */
export async function handleNotice(services: Services, { notice_id }: { notice_id: string }) {
  const notice = await services.asSystem('a notice of the payment provider', tx =>
    store.findNotice(tx, notice_id),
  )
  if (!notice || notice.handled_at) return
  const customer = notice.customer_id
  // The card may be what has changed.
  if (customer) services.outside.payments.forgetCard(customer)
  if (notice.object_id) await recordProviderEvent(services, notice.type, notice.object_id)
  const account = customer && (await services.asSystem('whose notice it is', tx => findHolder(tx, customer)))
  const subscription = account && (notice.subscription_id ?? (await knownOf(services, account.id)))
  const seen = subscription ? await look(services, account.id, subscription) : null
  // The provider's word for "soon", on its own clock; that there is a trial is read anew.
  if (account && notice.type.endsWith('.trial_will_end') && seen?.verdict === 'update' && seen.plan)
    await tellTrialEnds(services, account.id, seen.plan, seen.subscription)
  // After the subscription, so that the mail about a plan comes before its receipt.
  if (notice.type === 'invoice.paid' && notice.object_id) await mailReceipt(services, notice.object_id)
  // Last: the end of its subscriptions is applied, and mailed, above.
  if (account && notice.type === 'customer.deleted') await removeDeletedCustomer(services, account.id)
  await services.asSystem('a notice is handled', tx => store.markNoticeHandled(tx, notice_id, services.now()))
}

async function knownOf(services: Services, accountId: string): Promise<string | null> {
  const known = await services.withinAccount(accountId, tx => store.findSubscription(tx, accountId))
  return known?.provider_sub_id ?? null
}

/** Takes over what the provider says of a subscription, and ends it if nobody wants it. */
export async function look(services: Services, accountId: string, subscription: string) {
  const seen = await sync(services, accountId, subscription)
  if (!seen) return null
  const { verdict } = seen
  const ended = verdict === 'orphan' || (verdict === 'extra' && seen.subscription.attemptId !== null)
  if (ended) {
    // One account, one subscription: what a given-up attempt left running is ended, and somebody should know why.
    services.log.error(
      { subscription, account: accountId, verdict },
      'ended a subscription that nobody wanted',
    )
    await endUnwanted(services, accountId, seen.subscription)
  }
  if (verdict === 'extra' && !ended) await recordSecondSubscription(services, accountId, subscription)
  return { ...seen, ended }
}
