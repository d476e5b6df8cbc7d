import type { Quote } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { billingDay, money } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Lines } from '../../ui/PlanPicker.tsx'
import { Well } from '../../ui/Well.tsx'

/** What more people would cost, for an owner on a plan that is paid per seat. */
export const SeatCost = ({ seats }: { seats: number }) => (
  <PriceLine seats={seats} sign={1} now="team.seats.joined" later="team.seats.from" />
)

/** What fewer people take off the price. Only owners know of prices. */
export const SeatRelief = ({ seats }: { seats: number }) =>
  useSignedIn().permission === 'owner' && seats > 0 ? (
    <PriceLine seats={seats} sign={-1} now="team.seats.less" later="team.seats.less_from" />
  ) : null

/** `later`: the words while a trial runs, with the day from which seats are paid. */
function PriceLine({
  seats,
  sign,
  now,
  later,
}: {
  seats: number
  sign: 1 | -1
  now: TextKey
  later: TextKey
}) {
  const t = useT()
  const price = useSeatPrice(sign * seats)
  if (!price) return null
  const label = price.paidFrom ? t(later, { count: seats, date: price.paidFrom }) : t(now, { count: seats })
  return (
    <Well>
      <Lines lines={[{ label, value: price.text }]} />
    </Well>
  )
}

/** The price of one more seat, as owners see it; null for everybody else, and where seats cost nothing. */
export function useSeatQuote(): Quote | null {
  const owner = useSignedIn().permission === 'owner'
  return useApi(api.billing.subscription, owner ? {} : null, { fresh: true }).data?.seat_quote ?? null
}

/** What so many seats more, or fewer, cost, and from when on while a trial runs; null where seats are not paid for. */
function useSeatPrice(seats: number): { text: string; paidFrom: string | null } | null {
  const t = useT()
  const prices = useApi(api.billing.plans).data
  const subscription = useApi(api.billing.subscription).data
  const plan = prices?.plans.find(({ id }) => id === prices.active)
  if (plan?.type !== 'per_seat' || !subscription) return null
  const { trial_end, seat_quote } = subscription
  const price = money((seat_quote?.amount ?? plan.price) * seats, plan.currency.code)
  return {
    text: t(plan.interval === 'year' ? 'team.seats.a_year' : 'team.seats.a_month', { price }),
    paidFrom: trial_end && new Date(trial_end) > new Date() ? billingDay(trial_end) : null,
  }
}
