import type { HandlerInput, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext } from '../../../context.ts'
import type { ProviderInvoice } from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findFormerCustomers } from '../core/customer-store.ts'
import { isProviderLink } from '../core/document-links.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import * as store from '../core/store.ts'

type Listed = Reply<(typeof billing)['invoices']>

const perPage = 25
/** Page cursor: the number of the first row, and the invoice before it. */
const cursorPattern = /^(\d{1,6})\.(in_\w+)$/

/** Lists the account's invoices at the provider, newest first. */
export const listInvoices = (
  ctx: AuthedContext,
  { cursor }: HandlerInput<(typeof billing)['invoices']>['query'],
): Promise<Listed> => mapUnavailable(ctx, () => list(ctx, cursor))

async function list(ctx: AuthedContext, cursor: string | undefined): Promise<Listed> {
  const { payments } = ctx.integrations
  const [, first = '1', after = null] = (cursor !== undefined && cursorPattern.exec(cursor)) || []
  if (cursor !== undefined && after === null) throw invalidCursor()
  const start = Number(first)
  const { account_id } = ctx.actor
  const customers = await ctx.within(async tx => {
    const { stripe_customer_id } = await store.findAccount(tx, account_id)
    const former = await findFormerCustomers(tx, account_id)
    return stripe_customer_id ? [stripe_customer_id, ...former] : former
  })
  // The provider accepts any invoice as cursor, also another customer's, so its customer is checked.
  const from = after === null ? 0 : customers.indexOf((await payments.customerOfInvoice(after)) ?? '')
  if (from < 0) throw invalidCursor()
  const invoices: ProviderInvoice[] = []
  let more = false
  for (const [at, customer] of customers.entries()) {
    const limit = perPage - invoices.length
    if (at < from || limit === 0) continue
    const page = await payments.invoicesOf(customer, { after: at === from ? after : null, limit })
    invoices.push(...page.invoices)
    more = page.more || (invoices.length === perPage && at < customers.length - 1)
  }
  const rows: Listed = invoices.map(one => listed(ctx, one))
  return showing(ctx, rows, { start, more })
}

function listed(ctx: AuthedContext, { createdAt, pdf, page, ...invoice }: ProviderInvoice) {
  const linked = (link: string | null) =>
    link !== null && isProviderLink(link, ctx.config.payments.sandboxUrl) ? link : null
  return { ...invoice, date: createdAt.toISOString(), page: linked(page), invoice_pdf: linked(pdf) }
}

/** The provider gives neither a total nor a previous page. */
function showing(
  ctx: AuthedContext,
  rows: Listed,
  { start, more }: { start: number; more: boolean },
): Listed {
  const last = rows.at(-1)
  const next = more && last ? `${start + rows.length}.${last.id}` : null
  ctx.page({ start: last ? start : 0, total: null, previous: null, next })
  return rows
}

const invalidCursor = () => new Refusal('invalid_input', { field: 'cursor' })
