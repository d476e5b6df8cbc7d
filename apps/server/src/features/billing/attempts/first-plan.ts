import { isPlanId, planOf } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services, Tx } from '../../../context.ts'
import {
  type Card,
  type Confirmation,
  customerGoneError,
  isCustomerGone,
  isPaymentsError,
  isPromotionRefused,
  type PaymentsError,
} from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'
import { type FirstItems, firstItems } from '../prices/catalogue.ts'
import { findPromotion } from '../prices/promotion.ts'
import { verifyQuote } from '../prices/verify-quote.ts'
import { removeDeletedCustomer } from '../sync/deleted-customer.ts'
import { endUnwantedSubscription } from '../sync/refund.ts'
import { sync } from '../sync/sync.ts'
import { type Outcome, rollback } from './rollback.ts'

type Attempt = attempts.Attempt

/**
 * Takes an attempt to its end, or to where the person has to confirm. Never in a transaction; may be run again from
 * any point at which it was cut off: what was done is found in the row or given again by the provider for its key.
 */
export async function drive(services: Services, attempt: Attempt): Promise<Outcome> {
  try {
    return await pay(services, attempt)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return rollback(services, attempt, error.code)
    if (isPromotionRefused(error)) return rollback(services, attempt, 'promotion_code_unfit')
    if (!isPaymentsError(error, 'conflict', 'missing', 'rejected')) throw error
    return startOver(services, attempt, error)
  }
}

async function pay(services: Services, attempt: Attempt): Promise<Outcome> {
  const known = await settlePromotion(services, attempt, one => priceOfFirst(services, one))
  if ('refused' in known) return rollback(services, attempt, known.refused)
  if (!attempt.card_id && (await verifyQuote(services, known.attempt)) === 'changed')
    return rollback(services, attempt, 'price_changed')
  const saved = attempt.card_id ? known : await saveCard(services, known.attempt)
  if ('refused' in saved) return rollback(services, attempt, saved.refused)
  const halt =
    attempt.trial_days > 0 && !attempt.provider_sub_id ? await confirmCard(services, saved.attempt) : null
  if (halt) return halt
  // Read again before the charge: another process may have closed the attempt.
  const still = await within(services, attempt, tx =>
    attempts.findAttempt(tx, attempt.account_id, attempt.id),
  )
  if (still?.state === 'failed') return { kind: 'pending' }
  const subscription = attempt.provider_sub_id ?? (await subscribe(services, saved.attempt))
  return subscription
    ? await conclude(services, saved.attempt, subscription)
    : await rollback(services, attempt, 'price_changed')
}

/**
 * What we know of the provider no longer holds, such as a price. A customer that is gone is replaced, and as long as no
 * card was saved the attempt goes on with the new one; any other attempt can't end well, but the next one can.
 */
async function startOver(services: Services, attempt: Attempt, error: PaymentsError): Promise<Outcome> {
  services.log.error(
    { err: error, attempt: attempt.id },
    'payment attempt does not fit the provider any more',
  )
  services.outside.payments.clearPriceCache()
  const { account_id, id } = attempt
  if (isCustomerGone(error) && (await removeDeletedCustomer(services, account_id, { unknownToo: true }))) {
    const now = await within(services, attempt, tx => attempts.findAttempt(tx, account_id, id))
    if (now && now.state !== 'failed' && !now.card_id) return drive(services, now)
  }
  return rollback(services, attempt, 'payment_rejected')
}

const within = <T>(services: Services, attempt: Attempt, run: (tx: Tx) => Promise<T>) =>
  services.withinAccount(attempt.account_id, run)

/** Writes down how far it came. */
export async function saveProgress(
  services: Services,
  attempt: Attempt,
  change: Omit<attempts.AttemptChange, 'updated_at'>,
): Promise<Attempt> {
  await within(services, attempt, tx =>
    attempts.updateAttempt(tx, attempt, { ...change, updated_at: services.now() }),
  )
  return { ...attempt, ...change }
}

type Saved = { attempt: Attempt } | { refused: RefusalCode }

/**
 * Finds what the attempt's code stands for and writes it down, before anything else is done: what is repeated costs the
 * same, whatever has become of the code meanwhile, which the attempt itself may have used up.
 * @param rehearse asks the provider for the price, so that what only it knows of the code is heard now
 */
export async function settlePromotion(
  services: Services,
  attempt: Attempt,
  rehearse: (attempt: Attempt) => Promise<unknown>,
): Promise<Saved> {
  const { account_id, promotion_code: code, promotion_id, plan, kind, trial_days } = attempt
  if (code === null || promotion_id !== null || !isPlanId(plan)) return { attempt }
  const { stripe_customer_id: customer } = await within(services, attempt, tx =>
    store.findAccount(tx, account_id),
  )
  const whole = kind === 'first' && trial_days === 0
  const found = await findPromotion(services, code, { plan: planOf(plan), customer, whole })
  if (typeof found === 'string') return { refused: found }
  await rehearse({ ...attempt, promotion_id: found.id })
  const settled = await saveProgress(services, attempt, { promotion_id: found.id })
  crashPoint('promotion:after_found')
  return { attempt: settled }
}

async function priceOfFirst(services: Services, { account_id, plan, seats, promotion_id }: Attempt) {
  if (!isPlanId(plan)) return
  const { stripe_customer_id } = await services.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  const items = await firstItems(services, planOf(plan), seats)
  await services.outside.payments.previewFirst(stripe_customer_id, items, promotion_id)
}

async function saveCard(services: Services, attempt: Attempt): Promise<Saved> {
  const { payments } = services.outside
  const who = await within(services, attempt, async tx => ({
    account: await store.findAccount(tx, attempt.account_id),
    payer: await store.findPayer(tx, attempt.account_id),
  }))
  const customer = who.account.stripe_customer_id ?? (await newCustomer(services, attempt))
  crashPoint('choose_plan:after_customer')
  let card: Card
  try {
    card = await payments.saveCard(customer, invariant(attempt.card_token, 'a card'), attempt.id)
  } catch (error) {
    if (isWrongToken(error)) return { refused: 'invalid_input' }
    throw error
  }
  if (attempt.trial_days > 0) {
    // What can't be told from another one can't be given one trial only.
    if (!card.fingerprint) return { refused: 'invalid_input' }
    if (!(await claimTrial(services, attempt, card.fingerprint))) return { refused: 'trial_used' }
    crashPoint('choose_plan:after_trial_claim')
  }
  await payments.setCustomerCard(customer, card.id, { email: who.payer.email, name: who.account.name })
  const saved = await saveProgress(services, attempt, { card_id: card.id })
  crashPoint('choose_plan:after_card')
  return { attempt: saved }
}

/** No card of that name, or another customer's (T-61): the token is what is wrong. */
export const isWrongToken = (error: unknown): boolean =>
  isPaymentsError(error, 'missing', 'rejected') && error.param !== 'customer'

async function newCustomer(services: Services, attempt: Attempt): Promise<string> {
  const customer = await services.outside.payments.createCustomer(attempt.account_id)
  await within(services, attempt, tx =>
    store.updateAccount(tx, attempt.account_id, { stripe_customer_id: customer }),
  )
  return customer
}

/** One trial for a card, whichever account it comes with; claimed before the provider gives it. */
async function claimTrial(
  services: Services,
  { account_id }: Attempt,
  fingerprint: string,
): Promise<boolean> {
  const row = { fingerprint_hash: hashToken(fingerprint), account_id, created_at: services.now() }
  return services.asSystem('one trial for a card', tx => attempts.claimTrial(tx, row))
}

/** A trial costs nothing now, so the bank is asked before it begins, not when it ends. @returns null to go on */
export async function confirmCard(services: Services, attempt: Attempt): Promise<Outcome | null> {
  const { payments } = services.outside
  const setup = attempt.setup_intent_id
    ? await payments.readSetup(attempt.setup_intent_id)
    : await payments.createSetup(
        await customerOf(services, attempt),
        invariant(attempt.card_id, 'the card'),
        metadataOf(attempt),
        attempt.id,
      )
  crashPoint('choose_plan:after_setup_intent')
  const state = setup.status === 'requires_action' ? 'action_required' : attempt.state
  await saveProgress(services, attempt, { setup_intent_id: setup.id, state })
  return setup.status === 'succeeded' ? null : halted(services, attempt, setup, 'setup')
}

export async function halted(
  services: Services,
  attempt: Attempt,
  found: Confirmation,
  confirms: 'payment' | 'setup',
): Promise<Outcome> {
  if (found.status === 'requires_action')
    return { kind: 'action', client_secret: found.clientSecret, confirms }
  if (found.status === 'refused') return rollback(services, attempt, found.refusal)
  if (found.status === 'canceled') return rollback(services, attempt, 'payment_not_authorized')
  return { kind: 'pending' }
}

const metadataOf = ({ id, account_id }: Attempt) => ({ account_id, attempt_id: id })

export async function customerOf(services: Services, attempt: Attempt): Promise<string> {
  const account = await within(services, attempt, tx => store.findAccount(tx, attempt.account_id))
  if (!account.stripe_customer_id) throw customerGoneError()
  return account.stripe_customer_id
}

/** @returns the id of this attempt's subscription, made now or found; null when the price is not the quoted one */
async function subscribe(services: Services, attempt: Attempt): Promise<string | null> {
  const { payments } = services.outside
  const customer = await customerOf(services, attempt)
  const standing = await payments.subscriptionsOf(customer)
  const mine = standing.find(one => one.attemptId === attempt.id)
  const priced = mine ? null : await verifyQuote(services, attempt)
  if (priced === 'changed') return null
  // The provider would let a customer have two: what an earlier attempt left must not be charged beside this one.
  for (const left of standing) {
    if (left !== mine && left.attemptId && left.status === 'incomplete') await payments.cancelUnpaid(left)
  }
  const made = mine ?? (await create(services, attempt, customer, priced?.items ?? null))
  crashPoint('choose_plan:after_provider_subscription')
  await saveProgress(services, attempt, { provider_sub_id: made.id })
  return made.id
}

/** @param priced the items whose price was compared with the quote */
async function create(services: Services, attempt: Attempt, customer: string, priced: FirstItems | null) {
  if (!isPlanId(attempt.plan))
    throw new Error(`Attempt ${attempt.id} is for no plan of ours: ${attempt.plan}`)
  return services.outside.payments.createSubscription({
    customer,
    card: invariant(attempt.card_id, 'the card'),
    items: priced ?? (await firstItems(services, planOf(attempt.plan), attempt.seats)),
    trialDays: attempt.trial_days,
    promotion: attempt.promotion_id,
    metadata: metadataOf(attempt),
    key: attempt.id,
  })
}

/** Takes over what the provider says of the attempt's subscription. */
export async function conclude(
  services: Services,
  attempt: Attempt,
  subscriptionId: string,
): Promise<Outcome> {
  const seen = await sync(services, attempt.account_id, subscriptionId)
  if (!seen) return rollback(services, attempt, 'payment_rejected')
  const { action, status, payment } = seen
  if (action === 'record' || action === 'update') return { kind: 'done', status }
  if (action === 'orphan' || action === 'extra') {
    await endUnwantedSubscription(services, attempt.account_id, seen.subscription)
    return rollback(services, attempt, 'plan_taken')
  }
  if (!payment) return rollback(services, attempt, 'payment_not_authorized')
  if (payment.status === 'requires_action') {
    await saveProgress(services, attempt, { payment_intent_id: payment.id, state: 'action_required' })
  }
  return halted(services, attempt, payment, 'payment')
}
