import { limits } from '@plinth/contract/patterns'
import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { Form } from '../../lib/form/Form.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { area } from '../../lib/inputs/more-inputs.tsx'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'

/** After sending, a confirmation replaces the form, so that users do not send the message twice. */
export function MessageForm({ email, name }: { email: string; name: string }) {
  const t = useT()
  const [sent, setSent] = useState(false)
  const [another, setAnother] = useState(false)

  function writeAnother(): void {
    setAnother(true)
    setSent(false)
  }
  if (sent) {
    return (
      <div ref={takeFocus} tabIndex={-1} className="outline-none">
        <Alert
          tone="success"
          announce="status"
          title={t('help.sent')}
          action={
            <Button size="sm" onClick={writeAnother}>
              {t('help.another')}
            </Button>
          }
        >
          {t('help.sent_text', { email })}
        </Alert>
      </div>
    )
  }
  return (
    <Form
      keep="help"
      inputs={{
        message: area({
          label: t('help.message'),
          help: t('help.message_help'),
          placeholder: t('help.message_example'),
          rows: 7,
          // The field replaces the pressed button, so it takes the focus.
          autoFocus: another,
          required: true,
          maxLength: limits.help_message,
          messages: { required: t('help.message_required') },
        }),
      }}
      extra={{ email, name, template: 'help' }}
      call={api.help.send}
      buttonText={t('help.send')}
      callback={() => setSent(true)}
    />
  )
}
