import type { Contract, Reply } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { changeAnswer } from '../../../lib/data/query.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'

type Changed = Reply<Contract['billing']['changePlan']>

/**
 * Shows a plan change at once in the session, the cached data and a toast, then reloads the billing data.
 * @param done the title of the toast for a change that is already in effect
 */
export function applyPlanChange(answer: Changed, done: string): void {
  if ('plan' in answer) {
    const { plan, subscription: status, pending_plan } = answer
    mergeSession({ plan, subscription: status })
    const isEnding = pending_plan === 'free'
    changeAnswer(api.billing.subscription, now => ({
      ...now,
      plan,
      status,
      pending_plan,
      cancel_at_period_end: isEnding,
    }))
    toast({ variant: 'success', title: isEnding ? t('billing.change.planned') : done })
    // The pressed button has disappeared; without this the focus would move to the top of the page.
    document.getElementById('main')?.focus()
  }
  refreshBilling()
}
