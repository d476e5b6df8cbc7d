import type { Services } from '../../../context.ts'
import {
  type Confirmation,
  type Due,
  isOwing,
  isPaymentsError,
  type OwedInvoice,
} from '../../../integrations/stripe/payments.ts'
import { type Attempt, endAttempt } from '../core/attempt-store.ts'
import { isSameQuote, quoteCard, quoteIn } from '../prices/quote.ts'
import { type ProviderSnapshot, sync } from '../sync/sync.ts'
import { awaitPayment, saveProgress } from './progress.ts'
import { detachOtherCards, putCard } from './put-card.ts'
import { refuse, rollback } from './rollback.ts'
import { nextCardChangeStep } from './rules.ts'
import type { AttemptKind, Outcome, Run } from './step.ts'

/**
 * Another card, which then pays the amount due. The bank approves the card before it replaces the old one. If it refuses
 * the payment afterwards, the new card stays: the old one caused the debt.
 */
export const cardChange: AttemptKind = {
  prepare: async (_services, attempt) => ({ attempt }),

  async step(services, attempt, run) {
    switch (nextCardChangeStep(attempt, run)) {
      case 'not_started':
        return refuse(services, attempt, 'payment_provider_down')
      case 'card': {
        const quoted = await compareWithQuote(services, attempt)
        return quoted === 'changed'
          ? refuse(services, attempt, 'price_changed')
          : putCard(services, quoted, true)
      }
      case 'pay':
        await detachOtherCards(services, attempt)
        return { outcome: await payDue(services, attempt, run) }
    }
  },
}

/**
 * Compares the amount due with the quote before the card is saved, and stores the ids of the quoted invoices.
 * @returns the updated attempt
 */
async function compareWithQuote(services: Services, attempt: Attempt): Promise<Attempt | 'changed'> {
  const quote = quoteIn(attempt)
  if (!quote || attempt.quoted_invoices) return attempt
  const due = await readDue(services, await syncSubscription(services, attempt))
  if (!isSameQuote(quoteCard(attempt.account_id, due), quote)) return 'changed'
  return saveProgress(services, attempt, { quoted_invoices: due?.owed.map(({ id }) => id) ?? [] })
}

async function readDue(services: Services, snapshot: ProviderSnapshot | null): Promise<Due | null> {
  return snapshot && owes(snapshot)
    ? services.integrations.payments.readDueNow(snapshot.subscription.id)
    : null
}

const syncSubscription = (services: Services, attempt: Attempt): Promise<ProviderSnapshot | null> =>
  attempt.provider_sub_id
    ? sync(services, attempt.account_id, attempt.provider_sub_id)
    : Promise.resolve(null)

const owes = ({ action, subscription }: ProviderSnapshot) =>
  action === 'update' && isOwing(subscription.status)

async function payDue(services: Services, attempt: Attempt, { charging }: Run): Promise<Outcome> {
  const { payments } = services.integrations
  const snapshot = await syncSubscription(services, attempt)
  const open = snapshot && owes(snapshot) ? await payments.owedInvoices(snapshot.subscription.id) : []
  const { quoted_invoices: quoted } = attempt
  const owed = quoted ? open.filter(({ id }) => quoted.includes(id)) : open
  for (const invoice of owed) {
    // The bank was asked about this payment in an earlier run; its state is read below.
    const isAsked = attempt.payment_intent_id !== null && attempt.payment_intent_id === invoice.paymentId
    if (!isAsked && !charging) return rollback(services, attempt, 'payment_provider_down')
    if (!isAsked) await payInvoice(services, attempt, invoice)
    const payment = await readPaymentOf(services, invoice)
    if (payment && !isSettled(payment)) {
      await syncSubscription(services, attempt)
      return awaitPayment(services, attempt, payment)
    }
  }
  return complete(services, attempt, owed.length > 0 ? await syncSubscription(services, attempt) : snapshot)
}

async function payInvoice(services: Services, attempt: Attempt, invoice: OwedInvoice) {
  await services.integrations.payments.payInvoice(invoice, attempt.id).catch(error => {
    // Declined or waiting for the bank: the payment's status is read next. Missing or already closed: nothing is due.
    if (!isPaymentsError(error, 'card', 'rejected', 'missing')) throw error
  })
}

async function readPaymentOf(
  services: Services,
  { id, paymentId }: OwedInvoice,
): Promise<Confirmation | null> {
  const { payments } = services.integrations
  const payment = paymentId ?? (await payments.paymentOfInvoice(id))
  return payment ? payments.readPayment(payment) : null
}

/** Paid, or canceled together with its invoice. */
const isSettled = ({ status }: Confirmation) => status === 'succeeded' || status === 'canceled'

async function complete(
  services: Services,
  attempt: Attempt,
  snapshot: ProviderSnapshot | null,
): Promise<Outcome> {
  const done = { state: 'done', failure: null, updated_at: services.now() } as const
  await services.withinAccount(attempt.account_id, tx => endAttempt(tx, attempt, done))
  return { kind: 'done', status: snapshot?.status ?? 'active' }
}
