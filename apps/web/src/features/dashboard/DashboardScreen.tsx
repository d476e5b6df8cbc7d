import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { greetUser } from './greet-user.ts'
import { RevenueChart } from './RevenueChart.tsx'
import { RevenueSkeleton, StatsSkeleton } from './Skeletons.tsx'
import { Stats } from './Stats.tsx'
import { UsersCard } from './UsersCard.tsx'

export function DashboardScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.dashboard.demo)
  const loaded = Boolean(data)
  // Greets once the figures have loaded, not at each render.
  useEffect(() => {
    if (loaded) greetUser()
  }, [loaded])

  if (failed && !data) return <Failed retry={retry} />
  return (
    <>
      <p className="text-13 ink2">{t('dashboard.sample')}</p>
      {data ? <Stats stats={data.stats} currency={data.revenue.currency} /> : <StatsSkeleton />}
      {data ? <RevenueChart revenue={data.revenue} /> : <RevenueSkeleton />}
      <UsersCard users={data?.users} currency={data?.revenue.currency ?? 'usd'} />
    </>
  )
}

function Failed({ retry }: { retry: () => void }) {
  const t = useT()
  return (
    <Card>
      <EmptyState
        icon={CircleAlert}
        title={t('dashboard.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('dashboard.failed_text')}
      </EmptyState>
    </Card>
  )
}
