import CircleAlert from 'lucide-react/icons/circle-alert'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PreferencesSection } from './PreferencesSection.tsx'
import { AboutSection, AccountSection } from './ProfileForms.tsx'
import { ProfileSkeleton } from './ProfileSkeleton.tsx'

export function ProfileScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.profile.read)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('account.profile.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('account.profile.failed_text')}
      </EmptyState>
    )
  }
  if (!data) return <ProfileSkeleton />
  return (
    <div className="acct__main--form max-w-228">
      {!data.verified && (
        <Alert
          tone="info"
          title={t('account.profile.unverified')}
          action={
            <ButtonLink size="sm" href={paths.verify}>
              {t('account.profile.verify')}
            </ButtonLink>
          }
        >
          {t('account.profile.unverified_text')}
        </Alert>
      )}
      <AboutSection profile={data} />
      <PreferencesSection />
      {data.account_name !== undefined && <AccountSection name={data.account_name} />}
    </div>
  )
}
