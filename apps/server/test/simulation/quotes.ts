import { isSameQuote, quoteCard } from '../../src/features/billing/prices/quote.ts'
import { field, type Ledger, number, text } from './ledger.ts'
import type { Simulation } from './simulation.ts'

/** The charges of quoted attempts equal the sum of their quotes. */
export async function chargedAsQuoted(
  system: Simulation['env']['system'],
  account: string,
  ledger: Ledger,
): Promise<string[]> {
  const all = await system('select * from billing_attempts where account_id = $1', [account])
  const done = all.filter(one => text(one.state) === 'done')
  const quotedSum = (of: typeof done) => of.reduce((sum, one) => sum + number(one.quoted_amount), 0)
  const wrong = (what: string, quoted: number, charged: number) =>
    quoted === charged ? [] : [`${what} was quoted ${quoted} and charged ${charged}`]
  const quoted = done.filter(one => one.quoted_state !== null)
  const firsts = quoted
    .filter(one => text(one.kind) === 'first')
    .flatMap(one =>
      wrong(
        `attempt ${text(one.id)}`,
        number(one.quoted_amount),
        paid(ledger, text(one.provider_sub_id), 'create'),
      ),
    )
  // Includes failed attempts, which charge nothing.
  const changes = all.filter(one => text(one.kind) === 'change')
  const changed = [...new Set(changes.map(one => text(one.provider_sub_id)))].flatMap(subscription => {
    const mine = done.filter(one => text(one.kind) === 'change' && text(one.provider_sub_id) === subscription)
    // Invoices do not name their attempt, so a charge without a quote makes the sum unknown.
    if (mine.some(one => one.quoted_state === null && text(one.plan) !== 'free')) return []
    return wrong(`changes of ${subscription}`, quotedSum(mine), paid(ledger, subscription, 'update'))
  })
  const cards = quoted
    .filter(one => text(one.kind) === 'card' && number(one.quoted_amount) > 0)
    .filter(one => !ledger.invoices.some(invoice => isFor(invoice, account, one)))
    .map(
      one => `card ${text(one.id)} was quoted ${number(one.quoted_amount)}, and no paid invoice is that one`,
    )
  return [...firsts, ...changed, ...cards]
}

const paid = ({ invoices }: Ledger, subscription: string, reason: 'create' | 'update'): number =>
  invoices
    .filter(
      one =>
        text(one.status) === 'paid' &&
        text(one.billing_reason) === `subscription_${reason}` &&
        field(one, 'parent', 'subscription_details', 'subscription') === subscription,
    )
    .reduce((sum, one) => sum + number(one.amount_due), 0)

type Row = Awaited<ReturnType<Simulation['env']['system']>>[number]

/** Whether an invoice matches the quote of a card change. */
function isFor(invoice: Row, account: string, attempt: Row): boolean {
  const one = { id: text(invoice.id), amount: number(invoice.amount_due), currency: text(invoice.currency) }
  const due = { owed: [one], amount: one.amount, currency: one.currency }
  const quote = {
    amount: number(attempt.quoted_amount),
    currency: text(attempt.quoted_currency),
    state: text(attempt.quoted_state),
  }
  return text(invoice.status) === 'paid' && isSameQuote(quoteCard(account, due), quote)
}
