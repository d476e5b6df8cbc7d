import Download from 'lucide-react/icons/download'
import { useId } from 'react'
import { Form } from '../../../lib/form/Form.tsx'
import { t, useT } from '../../../lib/i18n/translate.ts'
import { checkbox } from '../../../lib/inputs/more-inputs.tsx'
import { useAskBeforeUnload } from '../../../lib/session/one-time-secret.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { Secret } from '../../../ui/base/Inset.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { submitForm } from './submit-form.ts'

/** The code is shown once, so the dialog closes only when the user confirms that it is saved. */
export function BackupCodeDialog({ code, onDone }: { code: string; onDone: () => void }) {
  const t = useT()
  const id = useId()
  useAskBeforeUnload()
  return (
    <Dialog
      open
      wide
      stays
      orHeading
      // Escape submits the form too, which shows that the confirmation is missing.
      onClose={() => submitForm(id)}
      title={t('two_factor.backup')}
      description={t('two_factor.backup_text')}
      footer={
        <Button type="submit" form={id} variant="primary">
          {t('two_factor.done')}
        </Button>
      }
    >
      <Secret
        large
        value={code}
        copyLabel={t('two_factor.copy')}
        copiedLabel={t('two_factor.copied')}
        refusedText={t('account.copy_refused')}
      >
        <Button size="sm" icon={<Icon of={Download} />} onClick={() => download(code)}>
          {t('two_factor.download')}
        </Button>
      </Secret>
      <Form
        id={id}
        inputs={{
          stored: checkbox({
            label: t('two_factor.stored'),
            required: true,
            messages: { required: t('two_factor.stored_required') },
          }),
        }}
        call={nothingToSend}
        callback={onDone}
      />
    </Dialog>
  )
}

const nothingToSend = async (_: { body: { stored?: boolean } }) => ({ data: undefined, message: undefined })

function download(code: string): void {
  const words = `${t('two_factor.file', { host: window.location.host })}\r\n\r\n${code}\r\n`
  const address = URL.createObjectURL(new Blob([words], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${t('two_factor.file_name')}.txt`
  link.click()
  URL.revokeObjectURL(address)
}
