import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import type { Card } from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'
import { type FirstItems, firstItems } from '../prices/catalogue.ts'
import { verifyQuote } from '../prices/verify-quote.ts'
import { endUnwantedSubscription } from '../sync/refund.ts'
import { sync } from '../sync/sync.ts'
import { awaitPayment, confirmCard, customerOf, isWrongToken, metadataOf, saveProgress } from './progress.ts'
import { resolvePromotion } from './resolve-promotion.ts'
import { refuse, rollback } from './rollback.ts'
import { nextFirstPlanStep } from './rules.ts'
import type { AttemptKind, Outcome, StepResult } from './step.ts'

type Attempt = attempts.Attempt

/** The first paid plan of an account, with or without a trial. */
export const firstPlan: AttemptKind = {
  async prepare(services, attempt, { charging }) {
    const started = charging ? attempt : await findStarted(services, attempt)
    if (!started) return refuse(services, attempt, 'payment_provider_down')
    if (started.provider_sub_id) return { attempt: started }
    return resolvePromotion(services, started, one => previewPrice(services, one))
  },

  async step(services, attempt, run) {
    switch (nextFirstPlanStep(attempt, run)) {
      case 'card':
        return saveCard(services, attempt)
      case 'confirm': {
        // A trial charges nothing at its start, so the bank is asked now and not when it ends.
        const halt = await confirmCard(services, attempt)
        return halt ? { outcome: halt } : { attempt, confirmed: true }
      }
      case 'subscribe':
        return subscribe(services, attempt)
    }
  },
}

/** What the job may continue: a subscription at the provider, or a trial card that the bank was asked about. */
async function findStarted(services: Services, attempt: Attempt): Promise<Attempt | null> {
  if (attempt.provider_sub_id) return attempt
  const { payments } = services.integrations
  const { stripe_customer_id } = await within(services, attempt, tx =>
    store.findAccount(tx, attempt.account_id),
  )
  const live = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  const own = live.find(one => one.attemptId === attempt.id)
  if (own) return { ...attempt, provider_sub_id: own.id }
  if (!attempt.setup_intent_id) return null
  const { status } = await payments.readSetup(attempt.setup_intent_id)
  return status === 'succeeded' || status === 'requires_action' ? attempt : null
}

const within = <T>(
  services: Services,
  { account_id }: Attempt,
  run: Parameters<typeof services.withinAccount<T>>[1],
) => services.withinAccount(account_id, run)

async function previewPrice(services: Services, attempt: Attempt) {
  const { account_id, plan, seats, promotion_id } = attempt
  if (!isPlanId(plan)) return
  const { stripe_customer_id } = await within(services, attempt, tx => store.findAccount(tx, account_id))
  const items = await firstItems(services, planOf(plan), seats)
  await services.integrations.payments.previewFirst(stripe_customer_id, items, promotion_id)
}

async function saveCard(services: Services, attempt: Attempt): Promise<StepResult> {
  if ((await verifyQuote(services, attempt)) === 'changed') return refuse(services, attempt, 'price_changed')
  const { payments } = services.integrations
  const { account, payer } = await within(services, attempt, async tx => ({
    account: await store.findAccount(tx, attempt.account_id),
    payer: await store.findPayer(tx, attempt.account_id),
  }))
  const customer = account.stripe_customer_id ?? (await createCustomer(services, attempt))
  let card: Card
  try {
    card = await payments.saveCard(customer, invariant(attempt.card_token, 'a card'), attempt.id)
  } catch (error) {
    if (isWrongToken(error)) return refuse(services, attempt, 'invalid_input')
    throw error
  }
  if (attempt.trial_days > 0) {
    // Without a fingerprint a second trial with the same card could not be detected.
    if (!card.fingerprint) return refuse(services, attempt, 'invalid_input')
    if (!(await claimTrial(services, attempt, card.fingerprint)))
      return refuse(services, attempt, 'trial_used')
    crashPoint('first_plan:after_trial_claim')
  }
  await payments.setCustomerCard(customer, card.id, { email: payer.email, name: account.name })
  return { attempt: await saveProgress(services, attempt, { card_id: card.id }) }
}

async function createCustomer(services: Services, attempt: Attempt): Promise<string> {
  const customer = await services.integrations.payments.createCustomer(attempt.account_id)
  await within(services, attempt, tx =>
    store.updateAccount(tx, attempt.account_id, { stripe_customer_id: customer }),
  )
  return customer
}

/** Claims the card's only trial, across accounts, before the provider grants it. */
async function claimTrial(
  services: Services,
  { account_id }: Attempt,
  fingerprint: string,
): Promise<boolean> {
  const row = { fingerprint_hash: hashToken(fingerprint), account_id, created_at: services.now() }
  return services.asSystem('claim a trial', tx => attempts.claimTrial(tx, row))
}

async function subscribe(services: Services, attempt: Attempt): Promise<StepResult> {
  // Another process may have closed the attempt before this charge.
  const current = await within(services, attempt, tx =>
    attempts.findAttempt(tx, attempt.account_id, attempt.id),
  )
  if (current?.state === 'failed') return { outcome: { kind: 'pending' } }
  const subscription = attempt.provider_sub_id ?? (await findOrCreateSubscription(services, attempt))
  if (!subscription) return refuse(services, attempt, 'price_changed')
  return { outcome: await recordSubscription(services, attempt, subscription) }
}

/** @returns the id of the attempt's subscription; null when the price differs from the quote */
async function findOrCreateSubscription(services: Services, attempt: Attempt): Promise<string | null> {
  const { payments } = services.integrations
  const customer = await customerOf(services, attempt)
  const live = await payments.subscriptionsOf(customer)
  const own = live.find(one => one.attemptId === attempt.id)
  const priced = own ? null : await verifyQuote(services, attempt)
  if (priced === 'changed') return null
  // The provider allows two subscriptions: unpaid ones of earlier attempts must not be charged beside this one.
  for (const one of live) {
    if (one !== own && one.attemptId && one.status === 'incomplete') await payments.cancelUnpaid(one)
  }
  const subscription = own ?? (await createSubscription(services, attempt, customer, priced?.items ?? null))
  crashPoint('first_plan:after_subscription')
  await saveProgress(services, attempt, { provider_sub_id: subscription.id })
  return subscription.id
}

/** @param priced the items whose price was compared with the quote */
async function createSubscription(
  services: Services,
  attempt: Attempt,
  customer: string,
  priced: FirstItems | null,
) {
  if (!isPlanId(attempt.plan)) throw new Error(`Attempt ${attempt.id} has an unknown plan: ${attempt.plan}`)
  return services.integrations.payments.createSubscription({
    customer,
    card: invariant(attempt.card_id, 'the card'),
    items: priced ?? (await firstItems(services, planOf(attempt.plan), attempt.seats)),
    trialDays: attempt.trial_days,
    promotion: attempt.promotion_id,
    metadata: metadataOf(attempt),
    key: attempt.id,
  })
}

/** Applies the provider's state of the attempt's subscription to the account. */
async function recordSubscription(services: Services, attempt: Attempt, id: string): Promise<Outcome> {
  const snapshot = await sync(services, attempt.account_id, id)
  if (!snapshot) return rollback(services, attempt, 'payment_rejected')
  const { action, status, payment } = snapshot
  if (action === 'record' || action === 'update') return { kind: 'done', status }
  if (action === 'orphan' || action === 'extra') {
    await endUnwantedSubscription(services, attempt.account_id, snapshot.subscription)
    return rollback(services, attempt, 'plan_taken')
  }
  if (!payment) return rollback(services, attempt, 'payment_not_authorized')
  return awaitPayment(services, attempt, payment)
}
