import { isPlanId, type PlanId } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import {
  type Confirmation,
  isPaymentsError,
  type Preview,
  type ProviderSubscription,
} from '../../../integrations/stripe/payments.ts'
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
  /** Null for a price of none of our plans. */
  plan: PlanId | null
}

/** A newer read may be applied first; then this one is repeated. */
const maxReads = 10

/**
 * Reads a subscription at the provider and applies it to the account. The only writer of paid plans: calls,
 * webhooks and repairs end here, in any order and any number of times, with the same result.
 * @returns the read and its meaning, or null when the provider does not know the subscription
 */
export async function sync(
  services: Services,
  accountId: string,
  subscriptionId: string,
): Promise<ProviderSnapshot | null> {
  const { payments } = services.integrations
  for (let count = 0; count < maxReads; count++) {
    const { read, known } = await services.withinAccount(accountId, async tx => ({
      read: await store.beginRead(tx, accountId),
      known: await store.findSubscription(tx, accountId),
    }))
    const subscription = await payments.readSubscription(subscriptionId)
    if (!subscription) return null
    const { status, pendingUpdate } = subscription
    const due = pendingUpdate || (!isRunning(status) && !hasEnded(status))
    const payment = due && subscription.paymentId ? await payments.readPayment(subscription.paymentId) : null
    const isNewEnd = subscription.cancelAtPeriodEnd && !hasEnded(status) && !known?.cancel_at_period_end
    const last = isNewEnd ? await previewLastInvoice(services, subscription) : null
    const snapshot = await applyProviderState(services, accountId, read, { subscription, payment, last })
    if (snapshot) return snapshot
  }
  throw new Error(`The state of ${subscriptionId} changes faster than it can be read`)
}

/** The preview is only for a mail, so its rejection must not block the state. */
const previewLastInvoice = (
  { integrations: { payments } }: Services,
  { customer, id }: ProviderSubscription,
) =>
  payments.previewEnd(customer, id).catch(error => {
    if (isPaymentsError(error, 'missing', 'rejected')) return null
    throw error
  })

/** `last`: preview of the last invoice, when the read shows a newly planned end. */
type Fresh = { subscription: ProviderSubscription; payment: Confirmation | null; last: Preview | null }

function applyProviderState(
  services: Services,
  accountId: string,
  read: number,
  { subscription, payment, last }: Fresh,
): Promise<ProviderSnapshot | null> {
  return services.withinAccount(accountId, async tx => {
    // The user of the open attempt is locked with the account, in the fixed order: user before account.
    const by = (await attempts.findOpenAttempt(tx, accountId))?.user_id ?? null
    const account = invariant(await lockAccount(tx, accountId, by), 'the account')
    if (account.billing_read_applied > read) return null
    // A subscription of another customer does not concern this account.
    const known = await store.findSubscription(tx, accountId)
    const isOwn =
      account.stripe_customer_id === subscription.customer ||
      // The end of a deleted customer's subscription still counts.
      (known?.provider_sub_id === subscription.id &&
        (await findFormerCustomers(tx, accountId)).includes(subscription.customer))
    const attempt =
      isOwn && subscription.attemptId
        ? await attempts.findAttempt(tx, accountId, subscription.attemptId)
        : undefined
    const decided = isOwn ? decideSyncAction(known, attempt?.state ?? null, subscription) : 'ignore'
    // An unknown price changes the rest of the row, not the plan.
    const plan =
      planOfPrice(subscription) ?? (decided === 'update' && isPlanId(known?.plan) ? known.plan : null)
    // A product that support sold by hand is not a plan.
    const action = decided === 'record' && !plan && !subscription.attemptId ? 'ignore' : decided
    // Paid, but for an unknown plan: fail loudly instead of ignoring it.
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
          ? await completePlanChange(services, tx, account, known, plan, { subscription, last })
          : null
      // An undone end has no pending plan.
      const stays = action === 'update' && subscription.cancelAtPeriodEnd && !hasEnded(subscription.status)
      const pending = ended === 'free' ? ended : known?.pending_plan
      const pending_plan = stays && isPlanId(pending) ? pending : null
      const row = rowOf(accountId, plan, subscription, status, services.now())
      await store.saveSubscription(tx, { ...row, pending_plan })
      const trialed = subscription.trialEnd && !account.trialed_at ? { trialed_at: services.now() } : {}
      await store.updateAccount(tx, accountId, { plan, ...trialed })
    }
    if (action === 'record' && plan)
      await completeFirstPlan(services, tx, account, attempt, { plan, subscription })
    if (action === 'update')
      await notifyPaymentState(services, tx, account, { subscription, status, was: known?.status ?? null })
    return { subscription, payment, action, status, plan }
  })
}

function rowOf(
  account_id: string,
  plan: PlanId,
  subscription: ProviderSubscription,
  status: string,
  now: Date,
) {
  return {
    account_id,
    provider_sub_id: subscription.id,
    plan,
    provider_status: subscription.status,
    status,
    seats: subscription.seats,
    seat_price: subscription.seatPrice,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    current_period_start: subscription.periodStart,
    current_period_end: subscription.periodEnd,
    trial_end: subscription.trialEnd,
    collection_paused: subscription.collectionPaused,
    collection_resumes_at: subscription.collectionResumesAt,
    synced_at: now,
  }
}

/** Completes a first plan: recorded and mailed once, by the first read that shows it. */
async function completeFirstPlan(
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
 * Completes the account's open plan change when the provider has its target: recorded and mailed once. A
 * plan that changed without an attempt was changed at the provider, and is recorded and mailed too.
 * @returns the target plan of the completed change, or null
 */
async function completePlanChange(
  services: Services,
  tx: Tx,
  account: { id: string; name: string },
  known: { plan: string; cancel_at_period_end: boolean },
  plan: PlanId,
  { subscription, last }: Pick<Fresh, 'subscription' | 'last'>,
): Promise<PlanId | null> {
  const open = await attempts.findOpenAttempt(tx, account.id)
  const change = open?.kind === 'change' && open.provider_sub_id === subscription.id ? open : undefined
  if (!change) {
    if (known.plan === plan) return null
    await recordPlanAudit(services, tx, { account_id: account.id, user_id: null, plan, network: '' })
    await notifyOwners(services, tx, account, plan, subscription)
    return null
  }
  if (!isPlanId(change.plan) || !fulfils(change, { ...subscription, plan })) return null
  await attempts.endAttempt(tx, change, { state: 'done', failure: null, updated_at: services.now() })
  const by = { user_id: change.user_id, network: change.network }
  if (change.replaced_at) await recordCardChange(services, tx, account, by, subscription.card)
  await recordPlanChange(services, tx, account, change, { plan, known, subscription, last })
  return change.plan
}

async function recordPlanChange(
  services: Services,
  tx: Tx,
  account: { id: string; name: string },
  change: attempts.Attempt,
  {
    plan,
    known,
    subscription,
    last,
  }: {
    plan: PlanId
    known: { cancel_at_period_end: boolean }
    subscription: ProviderSubscription
    last: Preview | null
  },
) {
  const by = { account_id: account.id, user_id: change.user_id, network: change.network, plan }
  if (change.plan === 'free') {
    await recordPlanAudit(services, tx, by, 'plan.end_planned')
    await notifyPlanEnd(services, tx, account, { plan, ends: subscription.endsAt, last })
  } else if (change.from_plan !== plan) {
    await recordPlanAudit(services, tx, by)
    await notifyOwners(services, tx, account, plan, subscription)
  } else if (known.cancel_at_period_end) {
    await recordPlanAudit(services, tx, by, 'plan.end_undone')
    await notifyOwners(services, tx, account, plan, subscription, true)
  }
}

/** The free plan has no object at the provider and is always active. */
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
