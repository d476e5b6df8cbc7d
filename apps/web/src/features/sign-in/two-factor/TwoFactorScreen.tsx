import CircleAlert from 'lucide-react/icons/circle-alert'
import { useId, useRef, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { refresh, useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { useStore } from '../../../lib/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { Switch } from '../../../ui/form/Switch.tsx'
import { BackupCodeDialog } from './BackupCodeDialog.tsx'
import { type Pending, SetUp } from './SetUp.tsx'
import { BackupCodeLeft, NewPhone, TwoFactorStatus } from './TwoFactorStatus.tsx'
import {
  confirmTurnOff,
  keepVerified,
  newBackupCode,
  renewBackupCode,
  type TwoFactor,
  turnedOnText,
} from './two-factor.ts'

/** The set-up shows the key, checks a code, and shows the backup code once. Turning off asks first. */
export function TwoFactorScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.twoFactor.read)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('two_factor.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('two_factor.failed_text')}
      </EmptyState>
    )
  }
  return (
    <div>
      <Section title={t('two_factor.heading')} text={t('two_factor.text')}>
        {data ? (
          <Settings now={data} />
        ) : (
          <Loading label={t('global.loading')}>
            <Skeleton height="74px" />
          </Loading>
        )}
      </Section>
    </div>
  )
}

function Settings({ now }: { now: TwoFactor }) {
  const t = useT()
  const [pending, setPending] = useState<Pending | null>(null)
  const backup = useStore(newBackupCode)
  const isOn = now['2fa_enabled']
  const { second_factor_required } = useSignedIn()
  const container = useRef<HTMLDivElement>(null)

  /** The focused control is gone; the switch shows the new state. */
  function focusSwitch(): void {
    container.current?.querySelector<HTMLElement>('[role=switch]')?.focus()
  }

  async function startSetUp(): Promise<void> {
    const begun = await attemptWithStepUp(proof =>
      api.twoFactor.change({ body: { '2fa_enabled': true, ...proof } }),
    )
    if (begun?.qr_code && begun.secret) setPending({ qr_code: begun.qr_code, secret: begun.secret })
  }

  function changeSwitch(next: boolean): void {
    if (next) void startSetUp()
    else if (isOn) confirmTurnOff()
    else setPending(null)
  }

  return (
    <div className="stack stack-5" ref={container}>
      {second_factor_required && (
        <Alert tone="info" title={t('two_factor.required')}>
          {t(isOn ? 'two_factor.required_again' : 'two_factor.required_text')}
        </Alert>
      )}
      {!pending && <TwoFactorStatus now={now} onRenew={renewBackupCode} />}
      <SwitchCard
        on={isOn || pending !== null}
        onFlip={changeSwitch}
        help={!isOn && pending ? t('two_factor.nearly') : turnedOnText(now, t)}
      />
      {pending && (
        <SetUp
          pending={pending}
          again={isOn}
          onCancel={() => {
            setPending(null)
            focusSwitch()
          }}
          onProven={proven => {
            keepVerified(proven.token)
            setPending(null)
            // The dialog returns the focus to the switch when it closes.
            focusSwitch()
            newBackupCode.set(proven.backup_code)
          }}
        />
      )}
      {backup && (
        <BackupCodeDialog
          code={backup}
          onDone={() => {
            newBackupCode.set(null)
            refresh(api.twoFactor.read)
          }}
        />
      )}
      {isOn && !pending && now.has_backup_code && <BackupCodeLeft onRenew={renewBackupCode} />}
      {isOn && !pending && <NewPhone onBegin={startSetUp} />}
    </div>
  )
}

function SwitchCard({ on, onFlip, help }: { on: boolean; onFlip: (next: boolean) => void; help: string }) {
  const t = useT()
  const id = useId()
  return (
    <Card className="px-5 py-0.5">
      <div className="setting">
        <div>
          <div className="med" id={id}>
            {t('two_factor.switch')}
          </div>
          <p className="help">{help}</p>
        </div>
        <Switch checked={on} onChange={onFlip} aria-labelledby={id} />
      </div>
    </Card>
  )
}
