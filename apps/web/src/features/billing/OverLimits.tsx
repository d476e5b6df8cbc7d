import type { PlanPreview } from '@plinth/contract'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/Alert.tsx'

type Props = { over: PlanPreview['over'] | undefined; plan: string }

/** What the account has more of than a smaller plan includes, and what happens to it. */
export function OverLimits({ over, plan }: Props) {
  const t = useT()
  if (!over?.length) return null
  return (
    <Alert tone="warning" title={t('billing.over.title', { plan })}>
      {over.map(({ what, used, limit }) => (
        <p key={what}>
          {t(what === 'users' ? 'billing.over.users' : 'billing.over.api_keys', { used, limit, plan })}
        </p>
      ))}
    </Alert>
  )
}
