import { type TranslateMail, toPlainString, trustedText } from '../translate.ts'

/** Price of a plan for each period. Amounts are formatted in the language of the mail. */
export type Cost = {
  price: string
  period: 'month' | 'year'
  /** Only for plans billed by seat. */
  seats?: { count: number; each: string } | null
  /** Whether usage is billed in addition. */
  usage?: boolean
}

/** "4 seats × $12.00 = $48.00 per month", or "$49.00 per month plus usage". */
export function costWords({ price, period, seats, usage }: Cost, translate: TranslateMail) {
  const values = { price: trustedText(price) }
  if (seats) {
    const seated = { ...values, count: seats.count, each: trustedText(seats.each) }
    return trustedText(
      toPlainString(
        period === 'month' ? translate('cost.seats_month', seated) : translate('cost.seats_year', seated),
      ),
    )
  }
  if (period === 'year') return trustedText(toPlainString(translate('cost.year', values)))
  return trustedText(
    toPlainString(usage ? translate('cost.month_usage', values) : translate('cost.month', values)),
  )
}
