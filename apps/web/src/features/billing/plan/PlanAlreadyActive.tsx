import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'

/** The account already has this plan; it changes the plan on the billing page. */
export function PlanAlreadyActive({ plan }: { plan: string }) {
  const t = useT()
  return (
    <Alert
      title={t('billing.upgrade.there', { plan })}
      action={<ButtonLink href={paths.billing}>{t('billing.upgrade.to_billing')}</ButtonLink>}
    >
      {t('billing.upgrade.there_text')}
    </Alert>
  )
}
