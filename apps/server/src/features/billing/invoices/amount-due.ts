import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import { isProviderLink } from '../core/document-links.ts'
import { quoteCard } from '../prices/quote.ts'

type Read = Reply<(typeof billing)['subscription']>
/** `card_quote` is null when the provider is unavailable. */
type AmountDue = Pick<Read, 'due' | 'card_quote'>

/** The screen shows more than the amount due, so a slow provider must not delay it. */
const maxWaitMs = 3000

const owing = ['requires_payment_method', 'requires_action']

/** Reads the debt of an unpaid account at the provider. */
export async function readDueAndQuote(
  ctx: AuthedContext,
  customer: string | null,
  row: { status: string; provider_sub_id: string | null } | undefined,
): Promise<AmountDue> {
  const { account_id } = ctx.actor
  if (!customer || !row?.provider_sub_id || !owing.includes(row.status))
    return { due: null, card_quote: quoteCard(account_id, null) }
  const { payments } = ctx.integrations
  const late = pause(maxWaitMs, 'unknown' as const, { ref: false })
  const due = await Promise.race([payments.cachedDueOf(customer, row.provider_sub_id), late]).catch(error => {
    if (!(error instanceof PaymentsError)) throw error
    ctx.log.warn({ err: error }, 'could not read the amount due')
    return 'unknown' as const
  })
  if (due === 'unknown') return { due: null, card_quote: null }
  const card_quote = quoteCard(account_id, due)
  if (!due) return { due, card_quote }
  const { amount, currency, invoices, nextAttempt, page } = due
  return {
    due: {
      amount,
      currency,
      invoices,
      next_attempt: nextAttempt?.toISOString() ?? null,
      page: page !== null && isProviderLink(page, ctx.config.payments.sandboxUrl) ? page : null,
    },
    card_quote,
  }
}
