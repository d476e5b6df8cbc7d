import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import type { TwoFactor } from './two-factor.ts'

/** Two-factor is off, on, or on without a backup code. */
export function TwoFactorStatus({ now, onRenew }: { now: TwoFactor; onRenew: () => Promise<void> }) {
  const t = useT()
  if (!now['2fa_enabled']) {
    return (
      <Alert tone="warning" title={t('two_factor.is_off')}>
        {t('two_factor.is_off_text')}
      </Alert>
    )
  }
  if (!now.has_backup_code) {
    return (
      <Alert
        tone="warning"
        title={t('two_factor.backup_used')}
        action={
          <Button size="sm" onClick={onRenew}>
            {t('two_factor.renew')}
          </Button>
        }
      >
        {t('two_factor.backup_used_text')}
      </Alert>
    )
  }
  return (
    <Alert tone="success" title={t('two_factor.is_on')} announce="status">
      {t('two_factor.is_on_text')}
    </Alert>
  )
}

export function BackupCodeLeft({ onRenew }: { onRenew: () => Promise<void> }) {
  const t = useT()
  return (
    <Card className="card__pad row between gap-4">
      <div className="grow basis-60">
        <h3 className="h2">{t('two_factor.backup_card')}</h3>
        <p className="help">{t('two_factor.backup_left')}</p>
      </div>
      <Button onClick={onRenew}>{t('two_factor.backup_renew')}</Button>
    </Card>
  )
}

export function NewPhone({ onBegin }: { onBegin: () => Promise<void> }) {
  const t = useT()
  return (
    <Card className="card__pad row between gap-4">
      <div className="grow basis-60">
        <h3 className="h2">{t('two_factor.new_phone')}</h3>
        <p className="help">{t('two_factor.new_phone_text')}</p>
      </div>
      <Button onClick={onBegin}>{t('two_factor.again')}</Button>
    </Card>
  )
}
