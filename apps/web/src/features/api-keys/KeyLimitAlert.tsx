import { grants } from '@plinth/contract/roles'
import { useT } from '../../lib/i18n/translate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { ButtonLink } from '../../ui/base/Button.tsx'

/** The plan allows no further key. Owners get a link to the plan that does. */
export function KeyLimitAlert({ limit, plan }: { limit: number | null; plan: string | null }) {
  const t = useT()
  const owner = grants(useSignedIn().permission, 'owner')
  const next = plan ? t(owner ? 'api_keys.full.owner' : 'api_keys.full.member') : t('api_keys.full.highest')
  return (
    <Alert
      tone="info"
      title={t('api_keys.full.title', { count: limit ?? 0 })}
      action={
        owner &&
        plan && <ButtonLink href={withQuery(paths.upgrade, { plan })}>{t('api_keys.full.plans')}</ButtonLink>
      }
    >
      {next}
    </Alert>
  )
}
