import CircleAlert from 'lucide-react/icons/circle-alert'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { DomainsSection } from './DomainsSection.tsx'
import { ProviderSection } from './ProviderSection.tsx'
import { SsoStatus } from './SsoStatus.tsx'
import { SwitchSection } from './SwitchSection.tsx'
import { TestSection } from './TestSection.tsx'

/** Four steps, all shown from the start. Each says which earlier step it needs. */
export function SsoScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.sso.read)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('sso.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('sso.failed_text')}
      </EmptyState>
    )
  }
  if (!data) {
    return (
      <Loading label={t('global.loading')}>
        <div className="stack stack-5">
          {['status', 'domains', 'provider', 'test'].map(bar => (
            <Skeleton key={bar} height="64px" />
          ))}
        </div>
      </Loading>
    )
  }
  return (
    <div>
      <SsoStatus setup={data} />
      <DomainsSection domains={data.domains} />
      <ProviderSection setup={data} />
      <TestSection setup={data} />
      <SwitchSection setup={data} />
    </div>
  )
}
