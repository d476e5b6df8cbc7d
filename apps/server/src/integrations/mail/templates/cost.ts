import { ours, type TranslateMail, toPlainString } from '../translate.ts'

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
export function costWords({ price, period, seats, usage }: Cost, translate: TranslateMail) {
  const values = { price: ours(price) }
  if (seats) {
    const seated = { ...values, count: seats.count, each: ours(seats.each) }
    return ours(
      toPlainString(
        period === 'month' ? translate('cost.seats_month', seated) : translate('cost.seats_year', seated),
      ),
    )
  }
  if (period === 'year') return ours(toPlainString(translate('cost.year', values)))
  return ours(toPlainString(usage ? translate('cost.month_usage', values) : translate('cost.month', values)))
}
