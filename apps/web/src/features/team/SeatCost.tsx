import { isPlanId, planOf } from '@plinth/contract/plans'
import type { ReactNode } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { billingDay, money } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Inset } from '../../ui/base/Inset.tsx'
import { Lines } from '../../ui/form/PlanPicker.tsx'
import { useSeatQuote } from './seat-quote.ts'

/**
 * The cost of more people, for an owner of a plan that is paid per seat.
 * @param joinsNow the person is added at once, without an invite to accept
 */
export function SeatCost({ seats, joinsNow = false }: { seats: number; joinsNow?: boolean }) {
  const t = useT()
  const owner = useSignedIn().permission === 'owner'
  const { known, failed, retry } = useSeatQuote()
  if (!owner) return <AddedSeats seats={seats} />
  if (failed)
    return (
      <Alert
        tone="warning"
        title={t('team.seats.failed')}
        announce="alert"
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('team.seats.failed_text')}
      </Alert>
    )
  if (seats === 0) return null
  if (!known) return <Inset>{t('team.seats.loading')}</Inset>
  return (
    <PriceLine
      seats={seats}
      sign={1}
      now={joinsNow ? 'team.seats.added' : 'team.seats.joined'}
      later="team.seats.from"
    >
      <NextPayment seats={seats} />
    </PriceLine>
  )
}

/** Administrators see no price, only that the owners pay for a further seat. */
function AddedSeats({ seats }: { seats: number }) {
  const t = useT()
  const { plan } = useSignedIn()
  if (seats === 0 || !isPlanId(plan) || planOf(plan).type !== 'per_seat') return null
  return <Inset>{t('team.seats.paid_by_owner')}</Inset>
}

/** The next payment with these seats, including their share of the current period. */
function NextPayment({ seats }: { seats: number }) {
  const t = useT()
  const current = useApi(api.billing.upcoming, { query: {} }, { fresh: true })
  const next = useApi(api.billing.upcoming, { query: { seats: String(seats) } }, { fresh: true })
  return <p className="t13 ink2">{textOf()}</p>

  function textOf(): string {
    if (!current.data || !next.data)
      return t(current.failed || next.failed ? 'team.seats.next_failed' : 'team.seats.next_loading')
    const { date, amount, currency, prorated } = next.data
    if (date === null || amount === null) return t('team.seats.next_failed')
    const values = { date: billingDay(date), amount: money(amount, currency) }
    const before = current.data.amount
    const total =
      before === null || before === amount
        ? t('team.seats.next', values)
        : t('team.seats.next_instead', { ...values, before: money(before, currency) })
    if (prorated === 0) return total
    return `${total} ${t('team.seats.prorated', { amount: money(prorated, currency) })}`
  }
}

/** The lower price with fewer people. Only owners see prices. */
export const SeatSavings = ({ seats }: { seats: number }) =>
  useSignedIn().permission === 'owner' && seats > 0 ? (
    <PriceLine seats={seats} sign={-1} now="team.seats.less" later="team.seats.less_from">
      <CreditLine />
    </PriceLine>
  ) : null

/** Seats of a trial are not paid yet, so nothing is credited for them. */
function CreditLine() {
  const t = useT()
  const price = useSeatPrice(1)
  return price && !price.paidFrom ? <p className="t13 ink2">{t('team.seats.credited')}</p> : null
}

/** @param later the text during a trial, with the day from which seats are paid */
function PriceLine({
  seats,
  sign,
  now,
  later,
  children,
}: {
  seats: number
  sign: 1 | -1
  now: TextKey
  later: TextKey
  children: ReactNode
}) {
  const t = useT()
  const price = useSeatPrice(sign * seats)
  if (!price) return null
  const label = price.paidFrom ? t(later, { count: seats, date: price.paidFrom }) : t(now, { count: seats })
  const value = t(price.yearly ? 'team.seats.a_year' : 'team.seats.a_month', { price: price.money })
  return (
    <Inset>
      <Lines lines={[{ label, value }]} />
      {children}
    </Inset>
  )
}

/** The price of the seats, and during a trial the first day that is paid; null where seats are free. */
export function useSeatPrice(
  seats: number,
): { money: string; yearly: boolean; paidFrom: string | null } | null {
  const owner = useSignedIn().permission === 'owner'
  const subscription = useApi(api.billing.subscription, owner ? {} : null).data
  if (!subscription?.seat_quote.amount) return null
  const { seat_quote, interval, trial_end } = subscription
  return {
    money: money(seat_quote.amount * seats, seat_quote.currency),
    yearly: interval === 'year',
    paidFrom: trial_end && new Date(trial_end) > new Date() ? billingDay(trial_end) : null,
  }
}
