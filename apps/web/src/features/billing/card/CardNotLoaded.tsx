import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'

/** In the place of a card field that could not be had. */
export function CardNotLoaded({ again }: { again: () => void }) {
  const t = useT()
  return (
    <Alert
      tone="danger"
      announce="alert"
      title={t('billing.card.not_loaded')}
      action={
        <Button size="sm" onClick={again}>
          {t('global.retry')}
        </Button>
      }
    >
      {t('billing.card.not_loaded_text')}
    </Alert>
  )
}
