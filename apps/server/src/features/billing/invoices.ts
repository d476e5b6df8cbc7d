import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ProviderInvoice } from '../../outside/payments.ts'
import { findFormerCustomers } from './customer-store.ts'
import { mayLinkTo } from './links.ts'
import * as store from './store.ts'
import { orDown } from './trouble.ts'

type Listed = Reply<(typeof billing)['invoices']>

const perPage = 25
const invoiceId = /^in_\w+$/

/** The account's invoices, read at the provider, the newest first. */
export const listInvoices = (
  ctx: SignedIn,
  { after }: Received<(typeof billing)['invoices']>['query'],
): Promise<Listed> => orDown(ctx, () => list(ctx, after ?? null))

async function list(ctx: SignedIn, after: string | null): Promise<Listed> {
  const { payments } = ctx.outside
  if (after !== null && !invoiceId.test(after)) throw wrongPlace()
  const { account_id } = ctx.actor
  const customers = await ctx.within(async tx => {
    const { stripe_customer_id } = await store.findAccount(tx, account_id)
    const former = await findFormerCustomers(tx, account_id)
    return stripe_customer_id ? [stripe_customer_id, ...former] : former
  })
  // The provider goes on from any invoice that it knows, be it another customer's.
  const first = after === null ? 0 : customers.indexOf((await payments.holderOfInvoice(after)) ?? '')
  if (first < 0) throw wrongPlace()
  const invoices: ProviderInvoice[] = []
  let more = false
  for (const [at, customer] of customers.entries()) {
    const limit = perPage - invoices.length
    if (at < first || limit === 0) continue
    const page = await payments.invoicesOf(customer, { after: at === first ? after : null, limit })
    invoices.push(...page.invoices)
    more = page.more || (invoices.length === perPage && at < customers.length - 1)
  }
  return { invoices: invoices.map(one => listed(ctx, one)), more }
}

function listed(ctx: SignedIn, { createdAt, pdf, page, ...invoice }: ProviderInvoice) {
  const linked = (link: string | null) =>
    link !== null && mayLinkTo(link, ctx.config.payments.sandboxUrl) ? link : null
  return { ...invoice, date: createdAt.toISOString(), page: linked(page), invoice_pdf: linked(pdf) }
}

const wrongPlace = () => new Refusal('invalid_input', { field: 'after', values: { label: 'after' } })
