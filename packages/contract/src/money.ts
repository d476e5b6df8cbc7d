/**
 * Digits of a currency's minor unit as the payment provider counts them. `Intl` can't be asked: it follows what people
 * use in shops (no digits for HUF), and its data differs between browsers.
 */
const without = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const thousandths = new Set('bhd jod kwd omr tnd'.split(' '))
/** Counted in hundredths, but never charged with any. */
const whole = new Set(['isk', 'ugx'])

export function minorDigits(currency: string): number {
  const code = currency.toLowerCase()
  if (without.has(code)) return 0
  return thousandths.has(code) ? 3 : 2
}

/** Minor units as the number that people say: 1200 of `usd` is 12, of `jpy` 1200. */
export const majorUnits = (minor: number, currency: string): number => minor / 10 ** minorDigits(currency)

/** Formats major units of a currency, with as many digits as an amount of it can have. */
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

/** An amount in minor units as text: 1200 of `usd` is $12.00. */
export const formatMoney = (locale: string, minor: number, currency: string): string =>
  currencyFormat(locale, currency).format(majorUnits(minor, currency))
