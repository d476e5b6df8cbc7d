import CircleAlert from 'lucide-react/icons/circle-alert'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { SupportSwitch } from '../impersonation/SupportSwitch.tsx'
import { MessageForm } from './MessageForm.tsx'

/** The contact form, and the switch for support access. */
export function HelpScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.profile.read)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('help.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('help.failed_text')}
      </EmptyState>
    )
  }
  if (!data) return <HelpSkeleton />
  return (
    <div className="stack stack-6 w-full max-w-160">
      <Alert tone="info" title={t('help.banner')}>
        {t('help.banner_text', { email: data.email })}
      </Alert>
      <Card className="card__pad stack stack-5">
        <h2 className="t16 semi">{t('help.title')}</h2>
        <MessageForm email={data.email} name={data.name} />
      </Card>
      <Card className="card__pad">
        <SupportSwitch allowed={data.support_enabled} />
      </Card>
    </div>
  )
}

function HelpSkeleton() {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-6 w-full max-w-160">
        <Skeleton height="68px" />
        <Skeleton height="360px" />
        <Skeleton height="88px" />
      </div>
    </Loading>
  )
}
