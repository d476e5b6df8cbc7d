import type { CardFieldProps } from '../../../lib/form/card.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { useSettings } from '../../settings/settings.ts'
import { SandboxCard } from './SandboxCard.tsx'

/**
 * The card of a form. Which provider takes it is a matter of the installation's settings, never of the look of a
 * key: each provider is a component that draws the card and hands the form its adapter, as SandboxCard does.
 */
export function CardInput(props: CardFieldProps) {
  const t = useT()
  const settings = useSettings()
  if (settings && !settings.payments.sandbox_url) {
    return (
      <Alert tone="warning" title={t('billing.card.unavailable')}>
        {t('billing.card.unavailable_text')}
      </Alert>
    )
  }
  return <SandboxCard {...props} />
}
