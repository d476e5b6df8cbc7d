import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'

/** Shown instead of a card field that did not load. */
export function CardNotLoaded({ retry }: { retry: () => void }) {
  const t = useT()
  return (
    <Alert
      tone="danger"
      announce="alert"
      title={t('billing.card.not_loaded')}
      action={
        <Button size="sm" onClick={retry}>
          {t('global.retry')}
        </Button>
      }
    >
      {t('billing.card.not_loaded_text')}
    </Alert>
  )
}
