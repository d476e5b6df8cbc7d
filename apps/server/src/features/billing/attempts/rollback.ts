import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Attempt, findAttempt } from '../core/attempt-store.ts'
import { fulfils, isRunning } from '../core/rules.ts'
import { findAccount } from '../core/store.ts'
import { failAttempt } from '../sync/fail-attempt.ts'
import { endUnwantedSubscription } from '../sync/refund.ts'
import { sync } from '../sync/sync.ts'
import type { Outcome } from './step.ts'

/** Rolls an attempt back, as the result of a step. */
export const refuse = async (services: Services, attempt: Attempt, code: RefusalCode) => ({
  outcome: await rollback(services, attempt, code),
})

/**
 * Undoes the attempt at the provider, then closes it. If the provider has completed the payment in the
 * meantime, the attempt is done instead: nothing is both paid and refused.
 * @param code the refusal that the user sees
 */
export async function rollback(services: Services, attempt: Attempt, code: RefusalCode): Promise<Outcome> {
  const { payments } = services.integrations
  const completed =
    attempt.kind === 'first'
      ? await cancelFirstPlan(services, attempt, code)
      : await undoChange(services, attempt)
  if (completed) return completed
  // The caller's row may be older than the stored setup.
  const current = await services.withinAccount(attempt.account_id, tx =>
    findAttempt(tx, attempt.account_id, attempt.id),
  )
  if (current?.setup_intent_id) {
    const setup = await payments.readSetup(current.setup_intent_id)
    if (setup.status === 'requires_action' || setup.status === 'refused') await payments.cancelSetup(setup.id)
  }
  await services.asSystem('end a billing attempt', async tx => {
    const account = invariant(await lockAccount(tx, attempt.account_id), 'the account')
    await failAttempt(services, tx, account, attempt, code)
  })
  return { kind: 'refused', code }
}

/** Cancels the subscriptions of a first plan. @returns null when none is left */
async function cancelFirstPlan(
  services: Services,
  attempt: Attempt,
  code: RefusalCode,
): Promise<Outcome | null> {
  const { payments } = services.integrations
  const { account_id } = attempt
  const { stripe_customer_id } = await services.withinAccount(account_id, tx => findAccount(tx, account_id))
  const live = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  for (const own of live.filter(one => one.attemptId === attempt.id)) {
    const isPaid = isRunning(own.status) || !(await payments.cancelUnpaid(own))
    const snapshot = isPaid ? await sync(services, account_id, own.id) : null
    if (snapshot && (snapshot.action === 'record' || snapshot.action === 'update'))
      return { kind: 'done', status: snapshot.status }
    // The payment has just succeeded; the provider activates the subscription next.
    if (snapshot?.action === 'ignore' && snapshot.subscription.status === 'incomplete')
      return { kind: 'pending' }
    if (snapshot) await endUnwantedSubscription(services, account_id, snapshot.subscription, code)
  }
  return null
}

/** Voids a plan change that waits for its payment, and restores the card that was charged before. */
async function undoChange(services: Services, { account_id, id, kind }: Attempt): Promise<Outcome | null> {
  const attempt = await services.withinAccount(account_id, tx => findAttempt(tx, account_id, id))
  if (!attempt) return null
  if (kind === 'change' && attempt.provider_sub_id) {
    const snapshot = await sync(services, account_id, attempt.provider_sub_id)
    if (snapshot && fulfils(attempt, { ...snapshot.subscription, plan: snapshot.plan }))
      return { kind: 'done', status: snapshot.status }
    const invoice = snapshot?.subscription.pendingUpdate ? snapshot.subscription.invoiceId : null
    if (invoice && !(await services.integrations.payments.voidInvoice(invoice))) {
      // Paid in this moment: the change is in force, or about to be.
      const paid = await sync(services, account_id, attempt.provider_sub_id)
      return paid && fulfils(attempt, { ...paid.subscription, plan: paid.plan })
        ? { kind: 'done', status: paid.status }
        : { kind: 'pending' }
    }
  }
  await restoreCard(services, attempt)
  return null
}

async function restoreCard(services: Services, attempt: Attempt) {
  const { payments } = services.integrations
  const { account_id, provider_sub_id, card_id, old_card_id } = attempt
  if (!card_id || card_id === old_card_id) return
  // A card change keeps its card once it is charged.
  if (attempt.kind === 'card' && attempt.replaced_at) return
  const { stripe_customer_id: customer } = await services.withinAccount(account_id, tx =>
    findAccount(tx, account_id),
  )
  // A deleted customer has no cards.
  if (!customer) return
  const charged = old_card_id ? await payments.chargedCardId(customer, provider_sub_id) : null
  const isRestored = charged !== card_id || (await chargeOldCard(services, attempt, customer))
  if (isRestored && (old_card_id || !attempt.replaced_at)) await payments.detachCard(card_id)
  payments.clearCardCache(customer)
}

/** @returns false when the provider has lost the old card: the new one stays, so that there is a card */
async function chargeOldCard(services: Services, attempt: Attempt, customer: string): Promise<boolean> {
  const { id, provider_sub_id, old_card_id } = attempt
  try {
    await services.integrations.payments.setChargedCard(
      customer,
      provider_sub_id,
      invariant(old_card_id, 'the old card'),
    )
    return true
  } catch (error) {
    if (!isPaymentsError(error, 'missing', 'rejected')) throw error
    services.log.warn({ err: error, attempt: id }, 'the old card could not be restored')
    return false
  }
}
