import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Secret } from '../../ui/base/Inset.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

export function RevealedKeyDialog({
  name,
  value,
  onClose,
}: {
  name: string
  value: string
  onClose: () => void
}) {
  const t = useT()
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('api_keys.revealed.title', { name })}
      description={t('api_keys.revealed.text')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('api_keys.revealed.done')}
        </Button>
      }
    >
      <Secret
        value={value}
        copyLabel={t('api_keys.new.copy')}
        copiedLabel={t('api_keys.new.copied')}
        refusedText={t('account.copy_refused')}
      />
      <Alert tone="warning" title={t('api_keys.new.warning')}>
        {t('api_keys.new.warning_text')}
      </Alert>
    </Dialog>
  )
}
