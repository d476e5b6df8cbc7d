import { api } from '../../lib/api/client.ts'
import { attempt } from '../../lib/api/failure.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { endOf, type Subscription } from './CurrentPlan.tsx'
import { settle } from './changed.ts'
import type { Plan } from './plan-texts.ts'

type Props = { plan: Plan; subscription: Subscription; mayChange: boolean }

/** That the plan ends, and the way to take that back. */
export function EndNotice({ plan, subscription, mayChange }: Props) {
  const t = useT()

  async function keep(): Promise<void> {
    const key = crypto.randomUUID()
    const answer = await attempt(api.billing.changePlan({ body: { plan: plan.id }, key }))
    if (answer) settle(answer, t('billing.now.kept', { plan: plan.name }))
  }

  return (
    <Alert
      title={endOf(subscription, t)}
      action={mayChange && <Button onClick={keep}>{t('billing.now.keep', { plan: plan.name })}</Button>}
    >
      {t('billing.now.ending_text')}
    </Alert>
  )
}
