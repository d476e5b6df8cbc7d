import { grants } from '@plinth/contract/roles'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { ButtonLink } from '../../ui/base/Button.tsx'

/**
 * Warns before sending when there are more addresses than free seats. It disables nothing, because an address
 * that is invited already needs no further seat.
 * @param free null where the plan has no limit
 */
export function SeatNotice({ free, wanted }: { free: number | null; wanted: number }) {
  const t = useT()
  const owner = grants(useSignedIn().permission, 'owner')
  if (free === null || (free > 0 && wanted <= free)) return null
  return (
    <Alert
      tone="warning"
      title={free === 0 ? t('team.full.title') : t('team.full.more', { count: free })}
      action={owner && <ButtonLink href={paths.upgrade}>{t('team.full.plans')}</ButtonLink>}
    >
      {t(owner ? 'team.full.owner' : 'team.full.member')}
    </Alert>
  )
}
