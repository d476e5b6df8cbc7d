import type { Contract, Reply } from '@plinth/contract'
import { isPlanId, planOf } from '@plinth/contract/plans'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { billingDay, money } from '../../../lib/i18n/format.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { useSignedIn } from '../../../lib/session/store.ts'

type Subscription = Reply<Contract['billing']['subscription']>

/** Lists the charges for closing a paid account, and the amounts that are not refunded. */
export function ClosingCosts() {
  const t = useT()
  const { plan: id } = useSignedIn()
  const plan = planOf(isPlanId(id) ? id : 'free')
  const metered = plan.metered !== null
  const subscription = useApi(api.billing.subscription, {}, { fresh: true }).data
  const usage = useApi(api.billing.usage, metered ? {} : null, { fresh: true }).data
  const next = useApi(api.billing.upcoming, { query: {} }, { fresh: true }).data
  const amount = usage?.amount ?? null
  const charged = !metered
    ? t('account.close.no_charge')
    : amount === null
      ? t('account.close.usage')
      : t('account.close.usage_amount', { amount: money(amount, plan.currency) })
  const credit =
    next && next.credit > 0 ? [t('account.close.credit', { amount: money(next.credit, next.currency) })] : []
  const draft = next?.draft
    ? [t('account.close.draft', { amount: money(next.draft.total, next.currency) })]
    : []
  return <p>{[charged, ...draft, ...credit, ...(subscription ? lossesOf(subscription, t) : [])].join(' ')}</p>
}

function lossesOf({ status, current_period_end: end, due }: Subscription, t: Translate): string[] {
  if (status === 'trialing') return [t('account.close.trial')]
  if (status === 'active') return end ? [t('account.close.no_refund', { date: billingDay(end) })] : []
  if (!status?.startsWith('requires')) return []
  return [
    due
      ? t('account.close.due', { amount: money(due.amount, due.currency) })
      : t('account.close.due_unknown'),
  ]
}
