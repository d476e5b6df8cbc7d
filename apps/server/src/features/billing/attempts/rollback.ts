import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import { fulfils, isRunning } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { failAttempt } from '../sync/fail-attempt.ts'
import { endUnwantedSubscription } from '../sync/refund.ts'
import { sync } from '../sync/sync.ts'

/** How far an attempt has come. `pending`: the provider itself is not done yet. */
export type Outcome =
  | { kind: 'done'; status: string }
  | { kind: 'action'; client_secret: string; confirms: 'payment' | 'setup' }
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'pending' }

/**
 * Takes back whatever an attempt left at the provider, then closes it. If the provider has meanwhile finished it
 * after all, it is done, not undone: nothing is ever both paid and refused.
 * @param code the refusal that the visitor is told
 */
export async function rollback(
  services: Services,
  attempt: attempts.Attempt,
  code: RefusalCode,
): Promise<Outcome> {
  const { payments } = services.outside
  const took =
    attempt.kind === 'first' ? await endFirst(services, attempt, code) : await takeBack(services, attempt)
  if (took) return took
  // What was written down since the caller read it counts.
  const now = await services.withinAccount(attempt.account_id, tx =>
    attempts.findAttempt(tx, attempt.account_id, attempt.id),
  )
  if (now?.setup_intent_id) {
    const setup = await payments.readSetup(now.setup_intent_id)
    if (setup.status === 'requires_action' || setup.status === 'refused') await payments.cancelSetup(setup.id)
  }
  await close(services, attempt, code)
  return { kind: 'refused', code }
}

/** Ends the subscription that a first choice made. @returns null when nothing of it is left */
async function endFirst(
  services: Services,
  attempt: attempts.Attempt,
  code: RefusalCode,
): Promise<Outcome | null> {
  const { payments } = services.outside
  const { account_id } = attempt
  const { stripe_customer_id } = await services.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  const standing = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  for (const mine of standing.filter(one => one.attemptId === attempt.id)) {
    const paid = isRunning(mine.status) || !(await payments.cancelUnpaid(mine))
    const seen = paid ? await sync(services, account_id, mine.id) : null
    if (seen && (seen.action === 'record' || seen.action === 'update'))
      return { kind: 'done', status: seen.status }
    // Paid at this very moment: it is about to run.
    if (seen?.action === 'ignore' && seen.subscription.status === 'incomplete') return { kind: 'pending' }
    if (seen) await endUnwantedSubscription(services, account_id, seen.subscription, code)
  }
  return null
}

/** Withdraws a change that waits for its payment, and puts the card back that was charged before. */
async function takeBack(
  services: Services,
  { account_id, id, kind }: attempts.Attempt,
): Promise<Outcome | null> {
  const attempt = await services.withinAccount(account_id, tx => attempts.findAttempt(tx, account_id, id))
  if (!attempt) return null
  if (kind === 'change' && attempt.provider_sub_id) {
    const seen = await sync(services, account_id, attempt.provider_sub_id)
    if (seen && fulfils(attempt, { ...seen.subscription, plan: seen.plan }))
      return { kind: 'done', status: seen.status }
    const invoice = seen?.subscription.pendingUpdate ? seen.subscription.invoiceId : null
    if (invoice && !(await services.outside.payments.voidInvoice(invoice))) {
      // Paid at this very moment: the change is in force, or about to be.
      const paid = await sync(services, account_id, attempt.provider_sub_id)
      return paid && fulfils(attempt, { ...paid.subscription, plan: paid.plan })
        ? { kind: 'done', status: paid.status }
        : { kind: 'pending' }
    }
  }
  await restoreCard(services, attempt)
  return null
}

async function restoreCard(services: Services, attempt: attempts.Attempt) {
  const { payments } = services.outside
  const { account_id, provider_sub_id, card_id, old_card_id } = attempt
  if (!card_id || card_id === old_card_id) return
  // A card for its own sake that is in place stays there.
  if (attempt.kind === 'card' && attempt.replaced_at) return
  const { stripe_customer_id } = await services.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  // Deleted at the provider, and its cards with it.
  if (!stripe_customer_id) return
  const customer = stripe_customer_id
  const charged = old_card_id ? await payments.chargedCardId(customer, provider_sub_id) : null
  const restored = charged !== card_id || (await chargeAgain(services, attempt, customer))
  if (restored && (old_card_id || !attempt.replaced_at)) await payments.detachCard(card_id)
  payments.clearCardCache(customer)
}

/** @returns false when the old card is gone from the provider: the new one stays then, rather than none */
async function chargeAgain(
  services: Services,
  attempt: attempts.Attempt,
  customer: string,
): Promise<boolean> {
  const { id, provider_sub_id, old_card_id } = attempt
  try {
    await services.outside.payments.setChargedCard(
      customer,
      provider_sub_id,
      invariant(old_card_id, 'the old card'),
    )
    return true
  } catch (error) {
    if (!isPaymentsError(error, 'missing', 'rejected')) throw error
    services.log.warn({ err: error, attempt: id }, 'the card that was charged before can not be put back')
    return false
  }
}

async function close(services: Services, attempt: attempts.Attempt, code: RefusalCode) {
  await services.asSystem('end an attempt to pay', async tx => {
    const account = invariant(await lockAccount(tx, attempt.account_id), 'the account')
    await failAttempt(services, tx, account, attempt, code)
  })
}
