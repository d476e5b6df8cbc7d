import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
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
  const account = await ctx.within(tx => store.findAccount(tx, account_id))
  const customer = account.stripe_customer_id
  if (!customer) return { invoices: [], more: false }
  // The provider goes on from any invoice that it knows, be it another customer's.
  if (after !== null && (await payments.holderOfInvoice(after)) !== customer) throw wrongPlace()
  const { invoices, more } = await payments.invoicesOf(customer, { after, limit: perPage })
  return {
    invoices: invoices.map(({ id, number, createdAt, status, total, currency, pdf }) => ({
      id,
      number,
      date: createdAt.toISOString(),
      status,
      total,
      currency,
      invoice_pdf: pdf !== null && mayLinkTo(pdf, ctx.config.payments.sandboxUrl) ? pdf : null,
    })),
    more,
  }
}

const wrongPlace = () => new Refusal('invalid_input', { field: 'after', values: { label: 'after' } })
