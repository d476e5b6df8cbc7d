import type { PlanPreview } from '@plinth/contract'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'

type Props = {
  over: PlanPreview['over'] | undefined
  plan: string
  /** A payment is due, so the account has no access at the moment. */
  locked?: boolean
}

/** Lists what exceeds the limits of the selected plan and what happens to it. */
export function OverLimits({ over, plan, locked = false }: Props) {
  const t = useT()
  if (!over?.length) return null
  return (
    <Alert tone="warning" title={t('billing.over.title', { plan })}>
      {over.map(({ what, used, limit }) => (
        <p key={what}>{t(`billing.over.${what}${locked ? '_locked' : ''}`, { used, limit, plan })}</p>
      ))}
    </Alert>
  )
}
