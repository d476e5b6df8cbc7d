import { isPlanId, type PlanId } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import {
  type Confirmation,
  isPaymentsError,
  type Preview,
  type ProviderSubscription,
} from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import { findFormerCustomers } from '../core/customer-store.ts'
import {
  decideSyncAction,
  displayStatus,
  fulfils,
  hasEnded,
  isRunning,
  planOfPrice,
  type SyncAction,
} from '../core/rules.ts'
import * as store from '../core/store.ts'
import { notifyPaymentState } from '../mails/dunning.ts'
import { notifyOwners, notifyPlanEnd, recordCardChange, recordPlanAudit } from '../mails/notify.ts'

export type ProviderSnapshot = {
  subscription: ProviderSubscription
  payment: Confirmation | null
  action: SyncAction
  status: string
  /** The plan it runs at, null for a price that is none of ours. */
  plan: PlanId | null
}

/** Reads overtake each other; by then something newer has been applied. */
const tries = 10

/**
 * Brings an account to what the provider says of a subscription now. The only writer of paid plans: calls, notices
 * and repairs all end here, in any order and as often as they like, with the same result.
 * @returns what was seen and what it meant, or null when the provider does not know the subscription
 */
export async function sync(
  services: Services,
  accountId: string,
  subscriptionId: string,
): Promise<ProviderSnapshot | null> {
  const { payments } = services.outside
  for (let turn = 0; turn < tries; turn++) {
    const { read, known } = await services.withinAccount(accountId, async tx => ({
      read: await store.beginRead(tx, accountId),
      known: await store.findSubscription(tx, accountId),
    }))
    const subscription = await payments.readSubscription(subscriptionId)
    if (!subscription) return null
    const { status, pendingUpdate } = subscription
    const due = pendingUpdate || (!isRunning(status) && !hasEnded(status))
    const payment = due && subscription.paymentId ? await payments.readPayment(subscription.paymentId) : null
    const isNews = subscription.cancelAtPeriodEnd && !hasEnded(status) && !known?.cancel_at_period_end
    const last = isNews ? await previewEnd(services, subscription) : null
    const seen = await apply(services, accountId, read, { subscription, payment, last })
    if (!seen) continue
    if (seen.action === 'record') crashPoint('choose_plan:after_record_commit')
    return seen
  }
  throw new Error(`The state of ${subscriptionId} changes faster than it can be read`)
}

/** Only for a mail: a state is not left unapplied because the provider refuses its preview. */
const previewEnd = ({ outside: { payments } }: Services, { customer, id }: ProviderSubscription) =>
  payments.previewEnd(customer, id).catch(error => {
    if (isPaymentsError(error, 'missing', 'rejected')) return null
    throw error
  })

/** `last`: the last invoice so far, where an end is planned that the account's row does not have yet. */
type Fresh = { subscription: ProviderSubscription; payment: Confirmation | null; last: Preview | null }

function apply(
  services: Services,
  accountId: string,
  read: number,
  { subscription, payment, last }: Fresh,
): Promise<ProviderSnapshot | null> {
  return services.withinAccount(accountId, async tx => {
    // Whose attempt may end here is written down with it, so their row comes before the account's.
    const by = (await attempts.findOpenAttempt(tx, accountId))?.user_id ?? null
    const account = invariant(await lockAccount(tx, accountId, by), 'the account')
    if (account.billing_read_applied > read) return null
    // A subscription of another customer is none of this account's business (T-63).
    const known = await store.findSubscription(tx, accountId)
    const own =
      account.stripe_customer_id === subscription.customer ||
      // Of a customer that was deleted there: how it ended still counts.
      (known?.provider_sub_id === subscription.id &&
        (await findFormerCustomers(tx, accountId)).includes(subscription.customer))
    const attempt =
      own && subscription.attemptId
        ? await attempts.findAttempt(tx, accountId, subscription.attemptId)
        : undefined
    const decided = own ? decideSyncAction(known, attempt?.state ?? null, subscription) : 'ignore'
    // A price that is not in our catalogue changes the rest of the row, not the plan.
    const plan =
      planOfPrice(subscription) ?? (decided === 'update' && isPlanId(known?.plan) ? known.plan : null)
    // Something else that support sells by hand is no plan of this account.
    const action = decided === 'record' && !plan && !subscription.attemptId ? 'ignore' : decided
    // Paid for, and we can't say what: rolled back and told, not passed over.
    if (action === 'record' && !plan)
      throw new Error(`Subscription ${subscription.id} runs at a price that is no plan of ours`)
    const status = displayStatus(subscription.status, payment?.status ?? null)
    await store.updateAccount(tx, accountId, { billing_read_applied: read })
    if (action === 'to_free') {
      await setFree(services, tx, accountId)
      await recordPlanAudit(services, tx, { account_id: accountId, user_id: null, plan: 'free', network: '' })
      await notifyOwners(services, tx, account, 'free', null)
    }
    if ((action === 'update' || action === 'record') && plan) {
      const ended =
        action === 'update' && known
          ? await follow(services, tx, account, known, plan, { subscription, last })
          : null
      // A planned end that was taken back, wherever, leads to nothing any more.
      const stays = action === 'update' && subscription.cancelAtPeriodEnd && !hasEnded(subscription.status)
      const pending = ended === 'free' ? ended : known?.pending_plan
      const pending_plan = stays && isPlanId(pending) ? pending : null
      const row = rowOf(accountId, plan, subscription, status, services.now())
      await store.saveSubscription(tx, { ...row, pending_plan })
      const trialed = subscription.trialEnd && !account.trialed_at ? { trialed_at: services.now() } : {}
      await store.updateAccount(tx, accountId, { plan, ...trialed })
    }
    if (action === 'record' && plan) await conclude(services, tx, account, attempt, { plan, subscription })
    if (action === 'update')
      await notifyPaymentState(services, tx, account, { subscription, status, was: known?.status ?? null })
    if (action === 'record') crashPoint('choose_plan:before_record_commit')
    return { subscription, payment, action, status, plan }
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
    collection_paused: seen.collectionPaused,
    collection_resumes_at: seen.collectionResumesAt,
    synced_at: now,
  }
}

/** The attempt has come to its end: it is noted and told once, whoever saw it first. */
async function conclude(
  services: Services,
  tx: Tx,
  account: { id: string; name: string },
  attempt: attempts.Attempt | undefined,
  { plan, subscription }: { plan: PlanId; subscription: ProviderSubscription },
) {
  const now = services.now()
  if (attempt && !(await attempts.endAttempt(tx, attempt, { state: 'done', failure: null, updated_at: now })))
    return
  await recordPlanAudit(services, tx, {
    account_id: account.id,
    user_id: attempt?.user_id ?? null,
    plan,
    network: attempt?.network ?? '',
  })
  await notifyOwners(services, tx, account, plan, subscription)
}

/**
 * Ends the account's open change when the provider has what it was to bring about; noted and told once, whoever saw it
 * first. Another plan that no change of ours brought is the provider's own doing, and told as well.
 * @returns the plan that the change was aimed at, null when none has ended
 */
async function follow(
  services: Services,
  tx: Tx,
  account: { id: string; name: string },
  known: { plan: string; cancel_at_period_end: boolean },
  plan: PlanId,
  { subscription: seen, last }: Pick<Fresh, 'subscription' | 'last'>,
): Promise<PlanId | null> {
  const open = await attempts.findOpenAttempt(tx, account.id)
  const change = open?.kind === 'change' && open.provider_sub_id === seen.id ? open : undefined
  if (!change) {
    if (known.plan === plan) return null
    await recordPlanAudit(services, tx, { account_id: account.id, user_id: null, plan, network: '' })
    await notifyOwners(services, tx, account, plan, seen)
    return null
  }
  if (!isPlanId(change.plan) || !fulfils(change, { ...seen, plan })) return null
  await attempts.endAttempt(tx, change, { state: 'done', failure: null, updated_at: services.now() })
  const by = { user_id: change.user_id, network: change.network }
  if (change.replaced_at) await recordCardChange(services, tx, account, by, seen.card)
  await noteChange(services, tx, account, change, { plan, known, seen, last })
  crashPoint('change_plan:before_conclude_commit')
  return change.plan
}

async function noteChange(
  services: Services,
  tx: Tx,
  account: { id: string; name: string },
  change: attempts.Attempt,
  {
    plan,
    known,
    seen,
    last,
  }: {
    plan: PlanId
    known: { cancel_at_period_end: boolean }
    seen: ProviderSubscription
    last: Preview | null
  },
) {
  const by = { account_id: account.id, user_id: change.user_id, network: change.network, plan }
  if (change.plan === 'free') {
    await recordPlanAudit(services, tx, by, 'plan.end_planned')
    await notifyPlanEnd(services, tx, account, { plan, ends: seen.endsAt, last })
  } else if (change.from_plan !== plan) {
    await recordPlanAudit(services, tx, by)
    await notifyOwners(services, tx, account, plan, seen)
  } else if (known.cancel_at_period_end) {
    await recordPlanAudit(services, tx, by, 'plan.end_undone')
    await notifyOwners(services, tx, account, plan, seen, true)
  }
}

/** The free plan: no object at the provider, always active. */
export async function setFree(services: Services, tx: Tx, account_id: string) {
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
    collection_paused: false,
    collection_resumes_at: null,
    synced_at: services.now(),
  })
  await store.updateAccount(tx, account_id, { plan: 'free' })
}
