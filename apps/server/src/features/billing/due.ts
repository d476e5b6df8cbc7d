import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { PaymentsError } from '../../outside/payments.ts'
import { mayLinkTo } from './links.ts'

type Due = Reply<(typeof billing)['subscription']>['due']

/** The screen says more than what is due, and a slow provider must not hold that back. */
const patienceMs = 3000

const owing = ['requires_payment_method', 'requires_action']

/** What an account that has not paid owes, as the provider has it now. Null where it can't be asked. */
export async function dueOf(
  ctx: SignedIn,
  customer: string | null,
  row: { status: string; provider_sub_id: string | null } | undefined,
): Promise<Due> {
  if (!customer || !row?.provider_sub_id || !owing.includes(row.status)) return null
  const { payments } = ctx.outside
  const late = pause(patienceMs, null, { ref: false })
  const due = await Promise.race([payments.dueOf(customer, row.provider_sub_id), late]).catch(error => {
    if (!(error instanceof PaymentsError)) throw error
    ctx.log.warn({ err: error }, 'what is due could not be read')
    return null
  })
  if (!due) return null
  const { amount, currency, invoices, nextAttempt, page } = due
  return {
    amount,
    currency,
    invoices,
    next_attempt: nextAttempt?.toISOString() ?? null,
    page: page !== null && mayLinkTo(page, ctx.config.payments.sandboxUrl) ? page : null,
  }
}
