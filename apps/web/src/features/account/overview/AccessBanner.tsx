import { onlyAnOwnerCanHelp, stageOf } from '@plinth/contract/access'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { either } from '../../../lib/i18n/either.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { bannerOf } from '../../billing/status/banner.ts'

/** Names the owners, because only they can change the plan. */
function InactiveBanner() {
  const t = useT()
  const owners = useApi(api.profile.read).data?.owners ?? []
  return (
    <Alert tone="warning" title={t('account.overview.inactive')}>
      {owners.length > 0
        ? t('account.overview.inactive_owners', { owners: either(owners) })
        : t('account.overview.inactive_text')}
    </Alert>
  )
}

/**
 * Explains why most of the product is locked. Owners get a link to billing, members the names of the owners.
 */
export function AccessBanner() {
  const t = useT()
  const user = useSignedIn()
  if (onlyAnOwnerCanHelp(user)) {
    return <InactiveBanner />
  }
  const banner = stageOf(user) === 'planned' ? bannerOf(user.subscription) : null
  if (!banner) return null
  return (
    <Alert
      tone={banner.tone}
      title={t(banner.title)}
      action={<ButtonLink href={paths.billing}>{t('account.overview.billing_go')}</ButtonLink>}
    >
      {t('account.overview.billing_text')}
    </Alert>
  )
}
