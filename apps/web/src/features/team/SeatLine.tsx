import type { Contract, Reply } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { money } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'

type Seats = Reply<Contract['team']['list']>['seats']

/** How many seats there are and how many are taken; for an owner, what one costs. */
export function SeatLine({ seats }: { seats: Seats | undefined }) {
  const t = useT()
  const price = useSeatPrice()
  // As high as what will stand here, so that nothing below moves when it comes.
  if (!seats) return <p>{'\u00a0'}</p>
  const { used, held, limit } = seats
  const taken =
    limit === null || used === null
      ? t('team.seats.unlimited')
      : held
        ? t('team.seats.used_held', { used, limit, held })
        : t('team.seats.used', { used, limit })
  // One text: a translated page replaces texts beside each other one by one.
  return <p>{price ? `${taken} ${price}` : taken}</p>
}

function useSeatPrice(): string | null {
  const t = useT()
  const owner = useSignedIn().permission === 'owner'
  const prices = useApi(api.billing.plans, owner ? undefined : null).data
  const plan = prices?.plans.find(({ id }) => id === prices.active)
  if (plan?.type !== 'per_seat') return null
  const price = money(plan.price, plan.currency.code)
  return t(plan.interval === 'year' ? 'team.seats.price_year' : 'team.seats.price_month', { price })
}
