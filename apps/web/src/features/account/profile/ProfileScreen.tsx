import CircleAlert from 'lucide-react/icons/circle-alert'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { SupportAccessSection } from '../../impersonation/SupportAccessSection.tsx'
import { DevicesSection } from '../../sessions/DevicesSection.tsx'
import { PasskeysSection } from '../../sign-in/passkeys/PasskeysSection.tsx'
import { ConnectionsSection } from '../../sign-in/social/ConnectionsSection.tsx'
import { useProviders } from '../../sign-in/social/use-providers.ts'
import { CloseSection } from '../close/CloseSection.tsx'
import { ExportSection } from '../export/ExportSection.tsx'
import { PreferencesSection } from './PreferencesSection.tsx'
import { AboutSection, AccountSection } from './ProfileForms.tsx'
import { ProfileSkeleton } from './ProfileSkeleton.tsx'

export function ProfileScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.profile.read)
  const { accounts, support_until } = useSession() ?? {}
  const loading = useSectionsLoading(data?.verified, Boolean(support_until))
  const nameOf = (id: string) => accounts?.find(account => account.id === id)?.name ?? ''
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
  if (loading || !data)
    return <ProfileSkeleton title={t('account.profile.about')} text={t('account.profile.about_text')} />
  // Support must not see or change how the user signs in.
  const showCredentials = data.verified && !support_until
  return (
    <div>
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
      {data.pending_email && (
        <Alert
          tone="info"
          title={t('account.profile.pending', { email: data.pending_email })}
          action={
            <ButtonLink size="sm" href={paths.verify}>
              {t('account.profile.pending_open')}
            </ButtonLink>
          }
        >
          {t('account.profile.pending_text')}
        </Alert>
      )}
      <AboutSection profile={data} />
      {showCredentials && <PasskeysSection />}
      {showCredentials && <ConnectionsSection />}
      <DevicesSection />
      <PreferencesSection profile={data} />
      {data.verified && <SupportAccessSection allowed={data.support_enabled} />}
      {data.account_name !== undefined && <AccountSection name={data.account_name} />}
      <ExportSection />
      <CloseSection profile={data} account={nameOf(data.account_id)} />
    </div>
  )
}

/** True until every section has loaded. A late section would move those below it under the pointer. */
function useSectionsLoading(verified: boolean | undefined, support: boolean): boolean {
  const showCredentials = verified === true && !support
  const passkeys = useApi(api.passkeys.list, showCredentials ? undefined : null)
  const identities = useApi(api.social.identities, showCredentials ? undefined : null)
  const devices = useApi(api.sessions.list, support ? null : undefined)
  const providers = useProviders()
  const pending = ({ data, failed }: { data: unknown; failed: boolean }) => data === undefined && !failed
  const sections = showCredentials && (pending(passkeys) || pending(identities) || !providers)
  const loading = verified === undefined || sections || (!support && pending(devices))
  // A mounted section refetches a failed list, which is then pending again: keep the screen once it is shown.
  const [shown, setShown] = useState(false)
  if (!loading && !shown) setShown(true)
  return loading && !shown
}
