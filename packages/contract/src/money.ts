/**
 * Decimal digits of a currency as the payment provider counts them. `Intl` is not used: it follows everyday use (no
 * digits for HUF), and its data differs between browsers.
 */
const without = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const thousandths = new Set('bhd jod kwd omr tnd'.split(' '))
/** The provider counts these in hundredths but charges whole units only. */
const whole = new Set(['isk', 'ugx'])

export function minorDigits(currency: string): number {
  const code = currency.toLowerCase()
  if (without.has(code)) return 0
  return thousandths.has(code) ? 3 : 2
}

/** Converts minor to major units: 1200 `usd` is 12, 1200 `jpy` is 1200. */
export const majorUnits = (minor: number, currency: string): number => minor / 10 ** minorDigits(currency)

/** A number format for major units, with the currency's number of digits. */
export function currencyFormat(
  locale: string,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const digits = whole.has(currency.toLowerCase()) ? 0 : minorDigits(currency)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...options,
  })
}

/** The currency's short symbol: `usd` is $. */
export const currencySymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase()

/** Formats minor units: 1200 `usd` is $12.00. */
export const formatMoney = (locale: string, minor: number, currency: string): string =>
  currencyFormat(locale, currency).format(majorUnits(minor, currency))
