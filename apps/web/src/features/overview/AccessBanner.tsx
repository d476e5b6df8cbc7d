import { onlyAnOwnerCanHelp, stageOf } from '@plinth/contract/access'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { bannerOf } from '../billing/banner.ts'

/** Why most of the product is closed: to a member who can help, to an owner where to go. */
export function AccessBanner() {
  const t = useT()
  const user = useSignedIn()
  if (onlyAnOwnerCanHelp(user)) {
    return (
      <Alert tone="warning" title={t('account.overview.inactive')}>
        {t('account.overview.inactive_text')}
      </Alert>
    )
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
