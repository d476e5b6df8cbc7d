import { formatMoney } from '@plinth/contract/money'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import type { PaidInvoice } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import type { Locale } from '../../../lib/i18n.ts'
import { findAccountOfCustomer } from '../core/customer-store.ts'
import { cardName } from './mail-facts.ts'
import { mailOwners } from './mail-owners.ts'
import { findOwners, markNotified } from './notification-store.ts'

/** A mail shows at most so many lines; the invoice has all. */
const mostLines = 20

/** Mails the receipt of a paid invoice to every owner, once. Skips invoices of amount 0. */
export async function mailReceipt(services: Services, invoiceId: string): Promise<void> {
  const paid = await services.integrations.payments.readPaidInvoice(invoiceId)
  if (!paid) return
  const holder = await services.asSystem('find the account of an invoice', tx =>
    findAccountOfCustomer(tx, paid.customer),
  )
  if (!holder) return
  await services.withinAccount(holder.id, async tx => {
    const account = await lockAccount(tx, holder.id)
    if (!account) return
    const notice = {
      account_id: account.id,
      kind: 'receipt',
      object_id: invoiceId,
      sent_at: services.now(),
    } as const
    if (!(await markNotified(tx, notice))) return
    const { owners } = await findOwners(tx, account.id)
    await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
      kind: 'receipt',
      data: { ...recipient, url: `${recipient.url}?tab=invoices`, ...receiptFacts(locale, paid) },
    }))
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
