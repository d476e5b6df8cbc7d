import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { Wizard } from './Wizard.tsx'

/** A user who had an account before sees another first step. The browser does not store that. */
export function WelcomeScreen() {
  const { duplicate_user, account_id } = useSignedIn()
  if (duplicate_user === undefined || !account_id) return <LoadedWizard />
  return <Wizard duplicate={duplicate_user} account={account_id} />
}

function LoadedWizard() {
  const t = useT()
  const { data, failed, retry } = useApi(api.profile.read)
  if (data) return <Wizard duplicate={data.duplicate_user} account={data.account_id} />
  if (failed) {
    return (
      <EmptyState
        title={t('onboarding.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('onboarding.failed_text')}
      </EmptyState>
    )
  }
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-6">
        <Skeleton width="220px" height="24px" />
        <Skeleton />
        <Skeleton width="80%" />
      </div>
    </Loading>
  )
}
