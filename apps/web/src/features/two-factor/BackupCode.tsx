import Download from 'lucide-react/icons/download'
import { Form } from '../../lib/form/Form.tsx'
import { checkbox } from '../../lib/form/more-inputs.tsx'
import { t, useT } from '../../lib/i18n/translate.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Secret } from '../../ui/Well.tsx'

/** Shown once: whoever goes on says that it is stored. */
export function BackupCode({ code, onDone }: { code: string; onDone: () => void }) {
  const t = useT()
  return (
    <Card className="card__pad stack">
      <div>
        <h3 className="h2 outline-0" tabIndex={-1} ref={takeFocus}>
          {t('two_factor.backup')}
        </h3>
        <p className="ink2">{t('two_factor.backup_text')}</p>
      </div>
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
        inputs={{
          stored: checkbox({
            label: t('two_factor.stored'),
            required: true,
            messages: { required: t('two_factor.stored_required') },
          }),
        }}
        call={nothingToSend}
        buttonText={t('two_factor.done')}
        callback={onDone}
      />
    </Card>
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
