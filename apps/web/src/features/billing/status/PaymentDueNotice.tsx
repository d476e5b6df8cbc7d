import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { tabPath } from '../shared/tabs.ts'

/** A plan cannot change until the amount due is paid. */
export function PaymentDueNotice() {
  const t = useT()
  return (
    <Alert
      tone="warning"
      title={t('billing.change.due_first')}
      action={<ButtonLink href={tabPath('card')}>{t('billing.banner.card')}</ButtonLink>}
    />
  )
}
