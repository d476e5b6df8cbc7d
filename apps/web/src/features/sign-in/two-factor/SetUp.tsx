import { useId } from 'react'
import { api } from '../../../lib/api/client.ts'
import type { ApiError } from '../../../lib/api/error.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { code } from '../../../lib/inputs/code.tsx'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import { Secret } from '../../../ui/base/Inset.tsx'
import { QrCode, Steps } from '../../../ui/base/Steps.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { submitForm } from './submit-form.ts'

export type Pending = { qr_code: string; secret: string }
type Proven = { backup_code: string; token: string }

type Props = {
  pending: Pending
  /** Two-factor is on already; this replaces its key. */
  again: boolean
  onCancel: () => void
  onProven: (proven: Proven) => void
}

/** Shows the key as QR code and text, and asks for a code from the app to confirm it. */
export function SetUp({ pending, again, onCancel, onProven }: Props) {
  return (
    <Card className="card__pad">
      <Steps
        steps={[
          <KeyStep key="key" pending={pending} again={again} />,
          <CodeStep key="code" again={again} onCancel={onCancel} onProven={onProven} />,
        ]}
      />
    </Card>
  )
}

function KeyStep({ pending, again }: { pending: Pending; again: boolean }) {
  const t = useT()
  return (
    <>
      <div>
        {/* The button that replaces the key is gone, so the heading takes the focus. */}
        <h3 className="h2 outline-0" tabIndex={-1} ref={again ? takeFocus : undefined}>
          {t('two_factor.scan')}
        </h3>
        <p className="help">{again ? t('two_factor.scan_again') : t('two_factor.scan_text')}</p>
      </div>
      <div className="row gap-4 items-start">
        <QrCode src={pending.qr_code} alt={t('two_factor.qr')} />
        <div className="grow basis-50 stack stack-2">
          <p className="t13 ink2">{t('two_factor.key')}</p>
          <Secret
            value={pending.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            copyLabel={t('two_factor.copy')}
            copiedLabel={t('two_factor.copied')}
            refusedText={t('account.copy_refused')}
          />
        </div>
      </div>
    </>
  )
}

function CodeStep({ again, onCancel, onProven }: Omit<Props, 'pending'>) {
  const t = useT()
  const id = useId()

  function startAgain({ code: refusal, message }: ApiError): boolean {
    if (refusal !== 'two_factor_not_begun') return false
    toast({ variant: 'error', title: message })
    onCancel()
    return true
  }

  return (
    <div className="max-w-86">
      <Form
        id={id}
        inputs={{
          code: code({ label: t('two_factor.enter'), required: true, onComplete: () => submitForm(id) }),
        }}
        call={api.twoFactor.verify}
        buttonText={again ? t('two_factor.verify_again') : t('two_factor.verify')}
        onError={startAgain}
        callback={onProven}
        actions={
          <Button variant="ghost" onClick={onCancel}>
            {t('global.cancel')}
          </Button>
        }
      />
    </div>
  )
}
