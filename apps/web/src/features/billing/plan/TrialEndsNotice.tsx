import { useT } from '../../../lib/i18n/translate.ts'
import type { Plan } from '../price/plan-texts.ts'

/** A plan without a trial ends the one that runs. */
export function TrialEndsNotice({ plan, status }: { plan: Plan; status: string | null }) {
  const t = useT()
  if (status !== 'trialing' || plan.trial_days > 0) return null
  return <p className="t13 ink2">{t('billing.change.trial_lost')}</p>
}
