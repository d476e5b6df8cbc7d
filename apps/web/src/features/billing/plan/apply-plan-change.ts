import type { Contract, Reply } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { changeAnswer } from '../../../lib/data/query.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'

type Changed = Reply<Contract['billing']['changePlan']>

/**
 * The plan was changed, or its end taken back: every part of the page says so at once, and the server's word follows.
 * @param done what is said of a change that is in force; of one that waits, that it does
 */
export function applyPlanChange(answer: Changed, done: string): void {
  if ('plan' in answer) {
    const { plan, subscription: status, pending_plan } = answer
    mergeSession({ plan, subscription: status })
    const ends = pending_plan === 'free'
    changeAnswer(api.billing.subscription, now => ({
      ...now,
      plan,
      status,
      pending_plan,
      cancel_at_period_end: ends,
    }))
    toast({ variant: 'success', title: ends ? t('billing.change.planned') : done })
    // What was pressed is gone; without this the focus would fall to the top of the page.
    document.getElementById('main')?.focus()
  }
  refreshBilling()
}
