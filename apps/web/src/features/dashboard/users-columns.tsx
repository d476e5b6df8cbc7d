import { readableEmail } from '@plinth/contract/email'
import { isPlanId, planOf } from '@plinth/contract/plans'
import { day, money } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Badge, PlanBadge } from '../../ui/base/Badge.tsx'
import { Truncate } from '../../ui/base/Truncate.tsx'
import { PersonCell } from '../../ui/table/PersonCell.tsx'
import type { Column } from '../../ui/table/table-view.ts'
import type { Demo } from './demo.ts'

export type DemoUser = Demo['users'][number]

const planNames: Record<string, TextKey> = {
  free: 'dashboard.plans.free',
  startup: 'dashboard.plans.startup',
  startup_yearly: 'dashboard.plans.startup_yearly',
  scale: 'dashboard.plans.scale',
}

/** `searched`: the columns that a search covers; `shown`: the columns of the table. */
export function usersColumns(t: Translate, currency: string) {
  const planName = ({ plan }: DemoUser) => (planNames[plan] ? t(planNames[plan]) : plan)
  const name: Column<DemoUser> = {
    key: 'name',
    label: t('dashboard.users.name'),
    cell: user => <PersonCell name={user.name} cardLine={<Truncate>{readableEmail(user.email)}</Truncate>} />,
  }
  const email: Column<DemoUser> = {
    key: 'email',
    label: t('dashboard.users.email'),
    cell: user => <Truncate>{readableEmail(user.email)}</Truncate>,
    flexible: true,
    card: 'hide',
  }
  const badge = (user: DemoUser) =>
    isPlanId(user.plan) ? (
      <PlanBadge slabs={planOf(user.plan).slabs}>{planName(user)}</PlanBadge>
    ) : (
      <Badge>{user.plan}</Badge>
    )
  const plan: Column<DemoUser> = {
    key: 'plan',
    label: t('dashboard.users.plan'),
    value: planName,
    cell: badge,
    card: 'hide',
  }
  const shown: Column<DemoUser>[] = [
    name,
    email,
    plan,
    {
      key: 'date_joined',
      label: t('dashboard.users.joined'),
      cell: user => <time dateTime={user.date_joined}>{day(user.date_joined)}</time>,
      card: 'hide',
    },
    {
      key: 'revenue',
      label: t('dashboard.users.revenue'),
      cell: user => (
        <>
          <span className="ltr align-top">{money(user.revenue, currency)}</span>
          {/* On phones the badge is below the amount: beside it, long names would be cut. */}
          <span className="in-cards h-4.75">{badge(user)}</span>
        </>
      ),
      end: true,
      card: 'inline',
    },
  ]
  return { searched: [name, email, plan], shown }
}
