import X from 'lucide-react/icons/x'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { backupSpent } from '../../../lib/session/backup-spent.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'

/** Above every screen, until there is a new backup code or the user closes it. */
export function BackupCodeUsed() {
  const t = useT()
  return (
    <Alert
      tone="warning"
      title={t('two_factor.backup_used')}
      action={
        <>
          <ButtonLink size="sm" href={paths.twoFactor}>
            {t('two_factor.renew')}
          </ButtonLink>
          <button
            type="button"
            className="x self-center"
            aria-label={t('global.close')}
            onClick={() => backupSpent.set(false)}
          >
            <Icon of={X} />
          </button>
        </>
      }
    >
      {t('two_factor.backup_used_text')}
    </Alert>
  )
}
