import { formatMoney } from '@plinth/contract/money'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import type { PaidInvoice } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { isLocale, type Locale } from '../../../lib/i18n.ts'
import { findAccountOfCustomer } from '../core/customer-store.ts'
import { cardName } from './mail-facts.ts'
import { findOwners, markNotified } from './notification-store.ts'

/** Longer invoices are read in full on the invoice itself. */
const mostLines = 20

/** Mails the receipt of a paid invoice to every owner, once. Nothing for an invoice that cost nothing. */
export async function mailReceipt(services: Services, invoiceId: string): Promise<void> {
  const paid = await services.outside.payments.readPaidInvoice(invoiceId)
  if (!paid) return
  const holder = await services.asSystem('whose invoice it is', tx =>
    findAccountOfCustomer(tx, paid.customer),
  )
  if (!holder) return
  await services.withinAccount(holder.id, async tx => {
    const account = await lockAccount(tx, holder.id)
    if (!account) return
    const told = {
      account_id: account.id,
      kind: 'receipt',
      about: invoiceId,
      told_at: services.now(),
    } as const
    if (!(await markNotified(tx, told))) return
    const { owners } = await findOwners(tx, account.id)
    for (const { email, first_name, ...owner } of owners) {
      const locale = isLocale(owner.locale) ? owner.locale : 'en'
      const data = {
        name: first_name,
        account_name: account.name,
        url: `${services.config.publicUrl}/account/billing?tab=invoices`,
        ...receiptFacts(locale, paid),
      }
      await services.enqueueMail(tx, { kind: 'receipt', to: email, locale, data })
    }
  })
}

function receiptFacts(locale: Locale, { number, currency, card, lines, ...paid }: PaidInvoice) {
  const money = (amount: number) => formatMoney(locale, amount, currency)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return {
    number,
    amount: money(paid.amount),
    day: billingDay(locale, paid.paidAt),
    card: cardName(locale, card),
    lines: lines.slice(0, mostLines).map(({ text, amount, start, end }) => ({
      text,
      amount: money(amount),
      period: days.formatRange(start, end),
    })),
    more: Math.max(0, lines.length - mostLines),
    discount: paid.discount ? money(paid.discount) : null,
    tax: paid.tax ? money(paid.tax) : null,
    credit: paid.credit ? money(paid.credit) : null,
  }
}
