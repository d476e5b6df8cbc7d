import type { Services } from '../../../context.ts'
import {
  type Confirmation,
  type Due,
  isCustomerGone,
  isOwing,
  isPaymentsError,
  type OwedInvoice,
} from '../../../integrations/stripe/payments.ts'
import * as attempts from '../core/attempt-store.ts'
import { isSameQuote, quoteCard, quoteIn } from '../prices/quote.ts'
import { removeDeletedCustomer } from '../sync/deleted-customer.ts'
import { type ProviderSnapshot, sync } from '../sync/sync.ts'
import { halted, saveProgress } from './first-plan.ts'
import { dropOthers, putCard } from './replace-saved-card.ts'
import { type Outcome, rollback } from './rollback.ts'

type Attempt = attempts.Attempt

/**
 * Puts another card in place, then pays with it what is due. Never in a transaction; may be run again from any point.
 * The bank has agreed to the card before it takes the other one's place; a payment that it then refuses leaves the new
 * card there: the old one is what brought the debt about.
 * @param charging false for a job, which begins no payment
 */
export async function replace(services: Services, attempt: Attempt, charging: boolean): Promise<Outcome> {
  try {
    const quoted = await comparedWithQuote(services, attempt)
    if (quoted === 'changed') return rollback(services, attempt, 'price_changed')
    const put = quoted.replaced_at ? { attempt: quoted } : await putCard(services, quoted, true)
    if ('outcome' in put) return put.outcome
    await dropOthers(services, put.attempt)
    return await payDue(services, put.attempt, charging)
  } catch (error) {
    if (isPaymentsError(error, 'card')) return rollback(services, attempt, error.code)
    if (!isPaymentsError(error, 'conflict', 'missing', 'rejected')) throw error
    services.log.error({ err: error, attempt: attempt.id }, 'another card does not fit the provider any more')
    const gone =
      isCustomerGone(error) &&
      (await removeDeletedCustomer(services, attempt.account_id, { unknownToo: true }))
    return rollback(services, attempt, gone ? 'card_unneeded' : 'payment_rejected')
  }
}

async function payDue(services: Services, attempt: Attempt, charging: boolean): Promise<Outcome> {
  const { payments } = services.outside
  const seen = await syncOwn(services, attempt)
  const open = seen && owes(seen) ? await payments.owedInvoices(seen.subscription.id) : []
  const { quoted_invoices: quoted } = attempt
  const owed = quoted ? open.filter(({ id }) => quoted.includes(id)) : open
  for (const invoice of owed) {
    // The bank was asked about this payment before; its status is read below.
    const asked = attempt.payment_intent_id !== null && attempt.payment_intent_id === invoice.paymentId
    if (!asked && !charging) return rollback(services, attempt, 'payment_provider_down')
    if (!asked) await payInvoice(services, attempt, invoice)
    const payment = await paymentOf(services, invoice)
    if (payment && !isSettled(payment)) return halt(services, attempt, payment)
  }
  return end(services, attempt, owed.length > 0 ? await syncOwn(services, attempt) : seen)
}

async function payInvoice(services: Services, attempt: Attempt, invoice: OwedInvoice) {
  await services.outside.payments.payInvoice(invoice, attempt.id).catch(error => {
    // Declined or waiting for the bank: the payment's status is read next. Missing or already closed: nothing is due.
    if (!isPaymentsError(error, 'card', 'rejected', 'missing')) throw error
  })
}

async function paymentOf(services: Services, { id, paymentId }: OwedInvoice): Promise<Confirmation | null> {
  const { payments } = services.outside
  const payment = paymentId ?? (await payments.paymentOfInvoice(id))
  return payment ? payments.readPayment(payment) : null
}

/** Paid, or withdrawn together with its invoice. */
const isSettled = ({ status }: Confirmation) => status === 'succeeded' || status === 'canceled'

const syncOwn = (services: Services, attempt: Attempt): Promise<ProviderSnapshot | null> =>
  attempt.provider_sub_id
    ? sync(services, attempt.account_id, attempt.provider_sub_id)
    : Promise.resolve(null)

const owes = ({ action, subscription }: ProviderSnapshot) =>
  action === 'update' && isOwing(subscription.status)

/** What a new card is charged at once. */
async function dueAtOnce(services: Services, seen: ProviderSnapshot | null): Promise<Due | null> {
  return seen && owes(seen) ? services.outside.payments.readDueNow(seen.subscription.id) : null
}

/**
 * Compares the due amount with the quote before the card is saved, and stores the ids of the quoted invoices.
 * @returns the attempt to go on with
 */
async function comparedWithQuote(services: Services, attempt: Attempt): Promise<Attempt | 'changed'> {
  const quote = quoteIn(attempt)
  if (!quote || attempt.quoted_invoices) return attempt
  const due = await dueAtOnce(services, await syncOwn(services, attempt))
  if (!isSameQuote(quoteCard(attempt.account_id, due), quote)) return 'changed'
  return saveProgress(services, attempt, { quoted_invoices: due?.owed.map(({ id }) => id) ?? [] })
}

/** Ends the attempt while a payment is open. The subscription's row is updated first. */
async function halt(services: Services, attempt: Attempt, payment: Confirmation): Promise<Outcome> {
  await syncOwn(services, attempt)
  if (payment.status === 'requires_action')
    await saveProgress(services, attempt, { payment_intent_id: payment.id, state: 'action_required' })
  return halted(services, attempt, payment, 'payment')
}

async function end(services: Services, attempt: Attempt, seen: ProviderSnapshot | null): Promise<Outcome> {
  const done = { state: 'done', failure: null, updated_at: services.now() } as const
  await services.withinAccount(attempt.account_id, tx => attempts.endAttempt(tx, attempt, done))
  return { kind: 'done', status: seen?.status ?? 'active' }
}
