import type { RefusalCode } from '@plinth/contract/refusals'
import type { World } from '../../context.ts'
import { must } from '../../lib/invariant.ts'
import { isPaymentsError } from '../../integrations/stripe/payments.ts'
import { lockAccount } from '../accounts/standing.ts'
import { endFailed } from './end-attempt.ts'
import { endUnwanted } from './refund.ts'
import { fulfils, isRunning } from './rules.ts'
import * as store from './store.ts'
import { sync } from './sync.ts'

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
export async function undo(world: World, attempt: store.Attempt, code: RefusalCode): Promise<Outcome> {
  const { payments } = world.outside
  const took =
    attempt.kind === 'first' ? await endFirst(world, attempt, code) : await takeBack(world, attempt)
  if (took) return took
  // What was written down since the caller read it counts.
  const now = await world.withinAccount(attempt.account_id, tx =>
    store.findAttempt(tx, attempt.account_id, attempt.id),
  )
  if (now?.setup_intent_id) {
    const setup = await payments.readSetup(now.setup_intent_id)
    if (setup.status === 'requires_action' || setup.status === 'refused') await payments.cancelSetup(setup.id)
  }
  await close(world, attempt, code)
  return { kind: 'refused', code }
}

/** Ends the subscription that a first choice made. @returns null when nothing of it is left */
async function endFirst(world: World, attempt: store.Attempt, code: RefusalCode): Promise<Outcome | null> {
  const { payments } = world.outside
  const { account_id } = attempt
  const { stripe_customer_id } = await world.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  const standing = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  for (const mine of standing.filter(one => one.attemptId === attempt.id)) {
    const paid = isRunning(mine.status) || !(await payments.withdraw(mine))
    const seen = paid ? await sync(world, account_id, mine.id) : null
    if (seen && (seen.verdict === 'record' || seen.verdict === 'update'))
      return { kind: 'done', status: seen.status }
    // Paid at this very moment: it is about to run.
    if (seen?.verdict === 'ignore' && seen.subscription.status === 'incomplete') return { kind: 'pending' }
    if (seen) await endUnwanted(world, account_id, seen.subscription, code)
  }
  return null
}

/** Withdraws a change that waits for its payment, and puts the card back that was charged before. */
async function takeBack(world: World, { account_id, id, kind }: store.Attempt): Promise<Outcome | null> {
  const attempt = await world.withinAccount(account_id, tx => store.findAttempt(tx, account_id, id))
  if (!attempt) return null
  if (kind === 'change' && attempt.provider_sub_id) {
    const seen = await sync(world, account_id, attempt.provider_sub_id)
    if (seen && fulfils(attempt, { ...seen.subscription, plan: seen.plan }))
      return { kind: 'done', status: seen.status }
    const invoice = seen?.subscription.pendingUpdate ? seen.subscription.invoiceId : null
    if (invoice && !(await world.outside.payments.voidInvoice(invoice))) {
      // Paid at this very moment: the change is in force, or about to be.
      const paid = await sync(world, account_id, attempt.provider_sub_id)
      return paid && fulfils(attempt, { ...paid.subscription, plan: paid.plan })
        ? { kind: 'done', status: paid.status }
        : { kind: 'pending' }
    }
  }
  await restoreCard(world, attempt)
  return null
}

async function restoreCard(world: World, attempt: store.Attempt) {
  const { payments } = world.outside
  const { account_id, provider_sub_id, card_id, old_card_id } = attempt
  if (!card_id || card_id === old_card_id) return
  // A card for its own sake that is in place stays there.
  if (attempt.kind === 'card' && attempt.replaced_at) return
  const { stripe_customer_id } = await world.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  // Deleted at the provider, and its cards with it.
  if (!stripe_customer_id) return
  const customer = stripe_customer_id
  const charged = old_card_id ? await payments.chargedCardId(customer, provider_sub_id) : null
  const restored = charged !== card_id || (await chargeAgain(world, attempt, customer))
  if (restored && (old_card_id || !attempt.replaced_at)) await payments.dropCard(card_id)
  payments.forgetCard(customer)
}

/** @returns false when the old card is gone from the provider: the new one stays then, rather than none */
async function chargeAgain(world: World, attempt: store.Attempt, customer: string): Promise<boolean> {
  const { id, provider_sub_id, old_card_id } = attempt
  try {
    await world.outside.payments.chargeCard(customer, provider_sub_id, must(old_card_id, 'the old card'))
    return true
  } catch (error) {
    if (!isPaymentsError(error, 'missing', 'rejected')) throw error
    world.log.warn({ err: error, attempt: id }, 'the card that was charged before can not be put back')
    return false
  }
}

async function close(world: World, attempt: store.Attempt, code: RefusalCode) {
  await world.asSystem('end an attempt to pay', async tx => {
    const account = must(await lockAccount(tx, attempt.account_id), 'the account')
    await endFailed(world, tx, account, attempt, code)
  })
}
