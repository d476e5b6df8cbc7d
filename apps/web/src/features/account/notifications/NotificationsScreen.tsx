import type { NotificationSetting } from '@plinth/contract'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { NotificationSwitch } from './NotificationSwitch.tsx'

/** One switch for each mail that the user's role can receive in the current account. */
export function NotificationsScreen() {
  const t = useT()
  const { accounts, account_id } = useSignedIn()
  const { data, failed, retry } = useApi(api.notifications.list)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('account.notifications.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('account.notifications.failed_text')}
      </EmptyState>
    )
  }
  const name = accounts.find(({ id }) => id === account_id)?.name ?? ''
  const several = accounts.length > 1
  const own = data?.filter(isOwn)
  const shared = data?.filter(setting => !isOwn(setting))
  return (
    <div>
      <Section
        title={t('account.notifications.you')}
        text={
          several
            ? t('account.notifications.you_text_in', { account: name })
            : t('account.notifications.you_text')
        }
      >
        {own ? <Switches settings={own} /> : <SwitchesSkeleton />}
      </Section>
      {shared && shared.length > 0 && (
        <Section title={name} text={t('account.notifications.account_text')}>
          <Switches settings={shared} />
        </Section>
      )}
      {data && <p className="t13 ink3">{t('account.notifications.always')}</p>}
    </div>
  )
}

const isOwn = ({ name }: NotificationSetting) => name === 'new_signin'

function Switches({ settings }: { settings: NotificationSetting[] }) {
  return (
    <div className="stack stack-5">
      {settings.map(setting => (
        <NotificationSwitch key={setting.name} {...setting} />
      ))}
    </div>
  )
}

function SwitchesSkeleton() {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <Skeleton height="40px" />
    </Loading>
  )
}
