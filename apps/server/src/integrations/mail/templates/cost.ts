import { ours, plain, type Say } from '../translate.ts'

/** What a plan costs each period; the amounts are written in the language of the mail. */
export type Cost = {
  price: string
  period: 'month' | 'year'
  /** Of a plan that is paid by the seat. */
  seats?: { count: number; each: string } | null
  /** Whether usage is added. */
  usage?: boolean
}

/** "4 seats × $12.00 = $48.00 per month", or "$49.00 per month plus usage". */
export function costWords({ price, period, seats, usage }: Cost, say: Say) {
  const values = { price: ours(price) }
  if (seats) {
    const seated = { ...values, count: seats.count, each: ours(seats.each) }
    return ours(plain(period === 'month' ? say('cost.seats_month', seated) : say('cost.seats_year', seated)))
  }
  if (period === 'year') return ours(plain(say('cost.year', values)))
  return ours(plain(usage ? say('cost.month_usage', values) : say('cost.month', values)))
}
