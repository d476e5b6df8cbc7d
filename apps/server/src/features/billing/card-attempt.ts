import type { World } from '../../context.ts'
import { isPaymentsError } from '../../outside/payments.ts'
import { halted, progress } from './attempt.ts'
import { dropOthers, putCard } from './new-card.ts'
import * as store from './store.ts'
import { type Seen, sync } from './sync.ts'
import { type Outcome, undo } from './undo.ts'

type Attempt = store.Attempt

/**
 * Puts another card in place, then pays with it what is due. Never in a transaction; may be run again from any point.
 * The bank has agreed to the card before it takes the other one's place; a payment that it then refuses leaves the new
 * card there: the old one is what brought the debt about.
 * @param charging false for a job, which begins no payment
 */
export async function replace(world: World, attempt: Attempt, charging: boolean): Promise<Outcome> {
  try {
    const put = attempt.replaced_at ? { attempt } : await putCard(world, attempt, true)
    if ('outcome' in put) return put.outcome
    await dropOthers(world, put.attempt)
    return await payDue(world, put.attempt, charging)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return undo(world, attempt, error.code)
    if (!isPaymentsError(error, 'conflict', 'missing', 'rejected')) throw error
    world.log.error({ err: error, attempt: attempt.id }, 'another card does not fit the provider any more')
    return undo(world, attempt, 'payment_provider_down')
  }
}

async function payDue(world: World, attempt: Attempt, charging: boolean): Promise<Outcome> {
  const seen = await look(world, attempt)
  const invoice = seen && owes(seen) ? seen.subscription.invoiceId : null
  if (!invoice) return end(world, attempt, seen)
  const asked = attempt.payment_intent_id !== null && attempt.payment_intent_id === seen?.payment?.id
  if (asked) return judge(world, attempt, seen)
  if (!charging) return undo(world, attempt, 'payment_provider_down')
  await world.outside.payments.payInvoice(invoice, attempt.id).catch(error => {
    // Refused, or the bank has a question: which of them it is says the payment itself.
    if (!isPaymentsError(error, 'card')) throw error
  })
  return judge(world, attempt, await look(world, attempt))
}

const look = (world: World, attempt: Attempt): Promise<Seen | null> =>
  attempt.provider_sub_id ? sync(world, attempt.account_id, attempt.provider_sub_id) : Promise.resolve(null)

const owes = ({ verdict, subscription }: Seen) =>
  verdict === 'update' && ['past_due', 'unpaid', 'incomplete'].includes(subscription.status)

async function judge(world: World, attempt: Attempt, seen: Seen | null): Promise<Outcome> {
  if (!seen || !owes(seen)) return end(world, attempt, seen)
  if (!seen.payment) return { kind: 'pending' }
  if (seen.payment.status === 'requires_action')
    await progress(world, attempt, { payment_intent_id: seen.payment.id, state: 'action_required' })
  return halted(world, attempt, seen.payment, 'payment')
}

async function end(world: World, attempt: Attempt, seen: Seen | null): Promise<Outcome> {
  const done = { state: 'done', failure: null, updated_at: world.now() } as const
  await world.withinAccount(attempt.account_id, tx => store.endAttempt(tx, attempt, done))
  return { kind: 'done', status: seen?.status ?? 'active' }
}
