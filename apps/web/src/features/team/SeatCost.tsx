import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { day, money } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Lines } from '../../ui/PlanPicker.tsx'
import { Well } from '../../ui/Well.tsx'

/** What more people would cost, for an owner on a plan that is paid per seat. */
export function SeatCost({ seats }: { seats: number }) {
  const t = useT()
  const prices = useApi(api.billing.plans).data
  const subscription = useApi(api.billing.subscription).data
  const plan = prices?.plans.find(({ id }) => id === prices.active)
  if (plan?.type !== 'per_seat' || !subscription) return null
  const { trial_end, seat_price } = subscription
  const price = money((seat_price || plan.price) * seats, plan.currency.code)
  const paidFrom = trial_end && new Date(trial_end) > new Date() ? day(trial_end) : null
  return (
    <Well>
      <Lines
        lines={[
          {
            label: paidFrom
              ? t('team.seats.from', { count: seats, date: paidFrom })
              : t('team.seats.joined', { count: seats }),
            value: t(plan.interval === 'year' ? 'team.seats.a_year' : 'team.seats.a_month', { price }),
          },
        ]}
      />
    </Well>
  )
}
