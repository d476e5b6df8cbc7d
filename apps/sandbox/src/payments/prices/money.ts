const without = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const thousandths = new Set('bhd jod kwd omr tnd'.split(' '))

const digitsOf = (currency: string) => (without.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2)

/** Formats minor units with Stripe's digits of the currency. @param digits maximum number of digits */
export function moneyText(minor: number, currency: string, digits = digitsOf(currency)): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digits,
  })
  return format.format(minor / 10 ** digitsOf(currency))
}
