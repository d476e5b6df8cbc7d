import { useState } from 'react'
import { day } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useAskBeforeUnload } from '../../lib/session/one-time-secret.ts'
import { useStore } from '../../lib/store.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Secret } from '../../ui/base/Inset.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { DetailList } from './DetailList.tsx'
import { isCopied, type NewKey, newKey } from './new-key.ts'

/** Shows the key that was just created. Every screen of the keys has it, so the key survives navigation. */
export function NewKeyDialog() {
  const created = useStore(newKey)
  return created && <SecretDialog key={created.id} created={created} />
}

function SecretDialog({ created }: { created: NewKey }) {
  const t = useT()
  const copied = useStore(isCopied)
  const [asking, setAsking] = useState(false)

  useAskBeforeUnload()
  const discardKey = () => newKey.set(null)
  return (
    <Dialog
      open
      wide
      stays
      orHeading
      onClose={() => (copied ? discardKey() : setAsking(true))}
      title={t('api_keys.new.title', { name: created.name })}
      description={t(created.revealable ? 'api_keys.new.text' : 'api_keys.new.text_final')}
      footer={
        asking ? (
          <>
            <Button key="close" onClick={discardKey}>
              {t('api_keys.new.close')}
            </Button>
            {/* Replaces the focused button, so that a second press in a hurry goes back to the key. */}
            <Button key="back" variant="primary" ref={takeFocus} onClick={() => setAsking(false)}>
              {t('api_keys.new.back')}
            </Button>
          </>
        ) : (
          <Button key="done" variant="primary" onClick={discardKey}>
            {t('api_keys.new.done')}
          </Button>
        )
      }
    >
      <Secret
        value={created.full_key}
        copyLabel={t('api_keys.new.copy')}
        copiedLabel={t('api_keys.new.copied')}
        refusedText={t('account.copy_refused')}
        onCopied={() => {
          isCopied.set(true)
          setAsking(false)
        }}
      />
      {asking ? (
        <Alert tone="warning" title={t('api_keys.new.ask')} announce="alert">
          {t(created.revealable ? 'api_keys.new.ask_text' : 'api_keys.new.ask_text_final')}
        </Alert>
      ) : (
        <Alert tone="warning" title={t('api_keys.new.warning')}>
          {t('api_keys.new.warning_text')}
        </Alert>
      )}
      <DetailList
        lines={[
          { label: t('api_keys.new.scopes'), value: created.scope.join(', ') },
          { label: t('api_keys.new.by'), value: <bdi>{created.created_by}</bdi> },
          {
            label: t('api_keys.new.expires'),
            value: created.expires_at ? day(created.expires_at) : t('api_keys.new.never'),
          },
        ]}
      />
    </Dialog>
  )
}
