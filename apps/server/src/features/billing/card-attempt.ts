import type { World } from '../../context.ts'
import {
  type Confirmation,
  type Due,
  isCustomerGone,
  isOwing,
  isPaymentsError,
  type OwedInvoice,
} from '../../integrations/stripe/payments.ts'
import { halted, progress } from './attempt.ts'
import { removeDeletedCustomer } from './customer.ts'
import { dropOthers, putCard } from './new-card.ts'
import { isSameQuote, quoteCard, quoteIn } from './quote.ts'
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
    const quoted = await comparedWithQuote(world, attempt)
    if (quoted === 'changed') return undo(world, attempt, 'price_changed')
    const put = quoted.replaced_at ? { attempt: quoted } : await putCard(world, quoted, true)
    if ('outcome' in put) return put.outcome
    await dropOthers(world, put.attempt)
    return await payDue(world, put.attempt, charging)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return undo(world, attempt, error.code)
    if (!isPaymentsError(error, 'conflict', 'missing', 'rejected')) throw error
    world.log.error({ err: error, attempt: attempt.id }, 'another card does not fit the provider any more')
    const gone =
      isCustomerGone(error) && (await removeDeletedCustomer(world, attempt.account_id, { unknownToo: true }))
    return undo(world, attempt, gone ? 'card_unneeded' : 'payment_rejected')
  }
}

async function payDue(world: World, attempt: Attempt, charging: boolean): Promise<Outcome> {
  const { payments } = world.outside
  const seen = await look(world, attempt)
  const open = seen && owes(seen) ? await payments.owedInvoices(seen.subscription.id) : []
  const { quoted_invoices: quoted } = attempt
  const owed = quoted ? open.filter(({ id }) => quoted.includes(id)) : open
  for (const invoice of owed) {
    // The bank was asked about this payment before; its status is read below.
    const asked = attempt.payment_intent_id !== null && attempt.payment_intent_id === invoice.paymentId
    if (!asked && !charging) return undo(world, attempt, 'payment_provider_down')
    if (!asked) await payInvoice(world, attempt, invoice)
    const payment = await paymentOf(world, invoice)
    if (payment && !isSettled(payment)) return halt(world, attempt, payment)
  }
  return end(world, attempt, owed.length > 0 ? await look(world, attempt) : seen)
}

async function payInvoice(world: World, attempt: Attempt, invoice: OwedInvoice) {
  await world.outside.payments.payInvoice(invoice, attempt.id).catch(error => {
    // Declined or waiting for the bank: the payment's status is read next. Missing or already closed: nothing is due.
    if (!isPaymentsError(error, 'card', 'rejected', 'missing')) throw error
  })
}

async function paymentOf(world: World, { id, paymentId }: OwedInvoice): Promise<Confirmation | null> {
  const { payments } = world.outside
  const payment = paymentId ?? (await payments.paymentOfInvoice(id))
  return payment ? payments.readPayment(payment) : null
}

/** Paid, or withdrawn together with its invoice. */
const isSettled = ({ status }: Confirmation) => status === 'succeeded' || status === 'canceled'

const look = (world: World, attempt: Attempt): Promise<Seen | null> =>
  attempt.provider_sub_id ? sync(world, attempt.account_id, attempt.provider_sub_id) : Promise.resolve(null)

const owes = ({ verdict, subscription }: Seen) => verdict === 'update' && isOwing(subscription.status)

/** What a new card is charged at once. */
async function dueAtOnce(world: World, seen: Seen | null): Promise<Due | null> {
  return seen && owes(seen) ? world.outside.payments.dueNow(seen.subscription.id) : null
}

/**
 * Compares the due amount with the quote before the card is saved, and stores the ids of the quoted invoices.
 * @returns the attempt to go on with
 */
async function comparedWithQuote(world: World, attempt: Attempt): Promise<Attempt | 'changed'> {
  const quote = quoteIn(attempt)
  if (!quote || attempt.quoted_invoices) return attempt
  const due = await dueAtOnce(world, await look(world, attempt))
  if (!isSameQuote(quoteCard(attempt.account_id, due), quote)) return 'changed'
  return progress(world, attempt, { quoted_invoices: due?.owed.map(({ id }) => id) ?? [] })
}

/** Ends the attempt while a payment is open. The subscription's row is updated first. */
async function halt(world: World, attempt: Attempt, payment: Confirmation): Promise<Outcome> {
  await look(world, attempt)
  if (payment.status === 'requires_action')
    await progress(world, attempt, { payment_intent_id: payment.id, state: 'action_required' })
  return halted(world, attempt, payment, 'payment')
}

async function end(world: World, attempt: Attempt, seen: Seen | null): Promise<Outcome> {
  const done = { state: 'done', failure: null, updated_at: world.now() } as const
  await world.withinAccount(attempt.account_id, tx => store.endAttempt(tx, attempt, done))
  return { kind: 'done', status: seen?.status ?? 'active' }
}
