import type { Contract, Reply } from '@plinth/contract'
import { useT } from '../../lib/i18n/translate.ts'
import { useSeatPrice } from './SeatCost.tsx'
import { useSeatQuote } from './seat-quote.ts'

type Seats = Reply<Contract['team']['list']>['seats']

/** The number of seats and how many are taken; for owners also the price of one. */
export function SeatLine({ seats }: { seats: Seats | undefined }) {
  const t = useT()
  const price = useSeatPrice(1)
  const { known, failed } = useSeatQuote()
  // Has the height of the loaded line, so that nothing below moves.
  if (!seats || (!known && !failed)) return <p>{'\u00a0'}</p>
  const { used, held, limit } = seats
  const taken =
    limit === null || used === null
      ? t('team.seats.unlimited')
      : held
        ? t('team.seats.used_held', { used, limit, held })
        : t('team.seats.used', { used, limit })
  // One text node: a page translator replaces adjacent ones separately.
  if (!price) return <p>{taken}</p>
  const each = t(price.yearly ? 'team.seats.price_year' : 'team.seats.price_month', { price: price.money })
  return <p>{`${taken} ${each}`}</p>
}
