import { isPlanId, type PlanId, planOf } from '@plinth/contract/plans'
import type { Tx, World } from '../../context.ts'
import { faultPoint } from '../../lib/faults.ts'
import { isLocale, translate } from '../../lib/i18n.ts'
import { must } from '../../lib/must.ts'
import type { Confirmation, ProviderSubscription } from '../../outside/payments.ts'
import { lockAccount } from '../accounts/standing.ts'
import { audit } from '../audit/service.ts'
import { wanting } from '../notifications/wants.ts'
import { displayStatus, hasEnded, isRunning, judge, planOfPrice, type Verdict } from './rules.ts'
import * as store from './store.ts'

export type Seen = {
  subscription: ProviderSubscription
  payment: Confirmation | null
  verdict: Verdict
  status: string
}

/** Reads overtake each other; by then something newer has been applied. */
const tries = 10

/**
 * Brings an account to what the provider says of a subscription now. The only writer of paid plans: calls, notices
 * and repairs all end here, in any order and as often as they like, with the same result.
 * @returns what was seen and what it meant, or null when the provider does not know the subscription
 */
export async function sync(world: World, accountId: string, subscriptionId: string): Promise<Seen | null> {
  const { payments } = world.outside
  for (let turn = 0; turn < tries; turn++) {
    const read = await world.withinAccount(accountId, tx => store.beginRead(tx, accountId))
    const subscription = await payments.readSubscription(subscriptionId)
    if (!subscription) return null
    const due = !isRunning(subscription.status) && !hasEnded(subscription.status)
    const payment = due && subscription.paymentId ? await payments.readPayment(subscription.paymentId) : null
    const seen = await apply(world, accountId, read, subscription, payment)
    if (!seen) continue
    if (seen.verdict === 'record') faultPoint('choose_plan:after_record_commit')
    return seen
  }
  throw new Error(`The state of ${subscriptionId} changes faster than it can be read`)
}

function apply(
  world: World,
  accountId: string,
  read: number,
  subscription: ProviderSubscription,
  payment: Confirmation | null,
): Promise<Seen | null> {
  return world.withinAccount(accountId, async tx => {
    const account = must(await lockAccount(tx, accountId), 'the account')
    if (account.billing_read_applied > read) return null
    // A subscription of another customer is none of this account's business (T-63).
    const own = account.stripe_customer_id === subscription.customer
    const known = await store.findSubscription(tx, accountId)
    const attempt =
      own && subscription.attemptId
        ? await store.findAttempt(tx, accountId, subscription.attemptId)
        : undefined
    const verdict = own ? judge(known, attempt?.state ?? null, subscription) : 'ignore'
    // A price that is not in our catalogue changes the rest of the row, not the plan.
    const plan =
      planOfPrice(subscription) ?? (verdict === 'update' && isPlanId(known?.plan) ? known.plan : null)
    // Paid for, and we can't say what: rolled back and told, not passed over.
    if (verdict === 'record' && !plan)
      throw new Error(`Subscription ${subscription.id} runs at a price that is no plan of ours`)
    const status = displayStatus(subscription.status, payment?.status ?? null)
    await store.updateAccount(tx, accountId, { billing_read_applied: read })
    if (verdict === 'to_free') {
      await setFree(world, tx, accountId)
      await note(world, tx, { account_id: accountId, user_id: null, plan: 'free', network: '' })
      await tellOwners(world, tx, account, 'free')
    }
    if ((verdict === 'update' || verdict === 'record') && plan) {
      const row = rowOf(accountId, plan, subscription, status, world.now())
      const pending_plan =
        verdict === 'update' && !hasEnded(subscription.status) ? (known?.pending_plan ?? null) : null
      await store.saveSubscription(tx, { ...row, pending_plan: isPlanId(pending_plan) ? pending_plan : null })
      const trialed = subscription.trialEnd && !account.trialed_at ? { trialed_at: world.now() } : {}
      await store.updateAccount(tx, accountId, { plan, ...trialed })
    }
    if (verdict === 'record' && plan) await conclude(world, tx, account, attempt, plan)
    if (verdict === 'record') faultPoint('choose_plan:before_record_commit')
    return { subscription, payment, verdict, status }
  })
}

function rowOf(account_id: string, plan: PlanId, seen: ProviderSubscription, status: string, now: Date) {
  return {
    account_id,
    provider_sub_id: seen.id,
    plan,
    provider_status: seen.status,
    status,
    seats: seen.seats,
    seat_price: seen.seatPrice,
    cancel_at_period_end: seen.cancelAtPeriodEnd,
    current_period_start: seen.periodStart,
    current_period_end: seen.periodEnd,
    trial_end: seen.trialEnd,
    synced_at: now,
  }
}

/** The attempt has come to its end: it is noted and told once, whoever saw it first. */
async function conclude(
  world: World,
  tx: Tx,
  account: { id: string; name: string },
  attempt: store.Attempt | undefined,
  plan: PlanId,
) {
  const now = world.now()
  if (attempt && !(await store.endAttempt(tx, attempt, { state: 'done', failure: null, updated_at: now })))
    return
  await note(world, tx, {
    account_id: account.id,
    user_id: attempt?.user_id ?? null,
    plan,
    network: attempt?.network ?? '',
  })
  await tellOwners(world, tx, account, plan)
}

/** Every owner who wants to know, whoever chose the plan. */
async function tellOwners(world: World, tx: Tx, account: { id: string; name: string }, plan: PlanId) {
  const { price, currency, interval } = planOf(plan)
  for (const user of await wanting(tx, account.id, 'plan_updated')) {
    const locale = isLocale(user.locale) ? user.locale : 'en'
    await world.enqueueMail(tx, {
      kind: 'plan_changed',
      to: user.email,
      locale,
      data: {
        name: user.first_name,
        account_name: account.name,
        plan: translate(locale, `plans.${plan}`),
        price: new Intl.NumberFormat(locale, { style: 'currency', currency }).format(price / 100),
        period: interval,
        url: `${world.config.publicUrl}/account/billing`,
      },
    })
  }
}

/** Writes a change of plan into the account's log. */
export async function note(
  world: World,
  tx: Tx,
  change: { account_id: string; user_id: string | null; plan: PlanId; network: string },
) {
  const { plan, ...who } = change
  await audit(world, tx, { ...who, action: 'plan.changed', target: plan })
}

/** The free plan: no object at the provider, always active. */
export async function setFree(world: World, tx: Tx, account_id: string) {
  await store.saveSubscription(tx, {
    account_id,
    provider_sub_id: null,
    plan: 'free',
    pending_plan: null,
    provider_status: 'active',
    status: 'active',
    seats: 1,
    seat_price: 0,
    cancel_at_period_end: false,
    current_period_start: null,
    current_period_end: null,
    trial_end: null,
    synced_at: world.now(),
  })
  await store.updateAccount(tx, account_id, { plan: 'free' })
}
