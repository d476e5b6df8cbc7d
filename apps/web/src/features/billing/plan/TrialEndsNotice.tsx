import { useT } from '../../../lib/i18n/translate.ts'
import type { Plan } from '../price/plan-texts.ts'

/** Warns that a change to a plan without a trial ends the current trial. */
export function TrialEndsNotice({ plan, status }: { plan: Plan; status: string | null }) {
  const t = useT()
  if (status !== 'trialing' || plan.trial_days > 0) return null
  return <p className="t13 ink2">{t('billing.change.trial_lost')}</p>
}
