import { currencyFormat, majorUnits } from '@plinth/contract/money'
import { language } from './language.ts'
import { t } from './translate.ts'

/** Money, dates and lists as people of the current language write them. Components call `useT()` to follow a change. */
const formats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language.get(), currency, options])
  const known = formats.get(key)
  if (known) return known
  const made = currencyFormat(language.get(), currency, { currencyDisplay: 'narrowSymbol', ...options })
  formats.set(key, made)
  return made
}

/** An amount in minor units: `1200` of `usd` is $12.00. `whole` drops the cents where there are none. */
export function money(minor: number, currency: string, options: { whole?: boolean } = {}): string {
  const format = moneyFormat(currency, options.whole ? { trailingZeroDisplay: 'stripIfInteger' } : {})
  // Some languages write a hyphen, which is too short and too high beside figures.
  return format.format(majorUnits(minor, currency)).replace('-', '−')
}

/** A price of parts of a cent, given as the contract does: `0.2` cents are $0.002. */
export function finePrice(minorDecimal: string, currency: string): string {
  return moneyFormat(currency, { maximumFractionDigits: 6 }).format(
    majorUnits(Number(minorDecimal), currency),
  )
}

/** 20 is 20 %, as the language writes it. */
export const percent = (value: number): string =>
  new Intl.NumberFormat(language.get(), { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)

/** A day, short: 4 Dec 2026. */
export function day(value: string | Date): string {
  return new Intl.DateTimeFormat(language.get(), { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(value),
  )
}

/** A plain day, year-month-day, in its long form: 4 December 2026. */
export const longDay = (day: string): string =>
  new Intl.DateTimeFormat(language.get(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))

const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago, in the largest unit that fits: 3 hours ago. */
export function ago(value: string): string {
  const seconds = Math.max(0, (Date.now() - new Date(value).getTime()) / 1000)
  const step = steps.find(([, length]) => seconds >= length)
  if (!step) return t('global.just_now')
  const [unit, length] = step
  const format = new Intl.RelativeTimeFormat(language.get(), { numeric: 'auto' })
  return format.format(-Math.floor(seconds / length), unit)
}

/** Billing days are days in UTC, in every zone: the mails and the invoices name the same. */
const billingDays = () =>
  new Intl.DateTimeFormat(language.get(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A day on which something is paid, renewed or ended: 4 Dec 2026. */
export const billingDay = (value: string | Date): string => billingDays().format(new Date(value))

/** From one billing day to another, without saying twice what they share: 20 Nov – 20 Dec 2026. */
export const billingSpan = (from: string, to: string): string =>
  billingDays().formatRange(new Date(from), new Date(to))

/** A count with the language's marks between thousands. */
export const count = (value: number): string => new Intl.NumberFormat(language.get()).format(value)

/** Short things beside each other: "3 users, 1 API key". */
export function list(parts: readonly string[]): string {
  return new Intl.ListFormat(language.get(), { type: 'unit', style: 'short' }).format(parts)
}

/** For the axis of a chart: a decimal at most, and the same object until the language changes. */
export const tickFormat = (currency: string): Intl.NumberFormat =>
  moneyFormat(currency, { minimumFractionDigits: 0, maximumFractionDigits: 1 })

/** The time of day: 14:32, or 2:32 PM. */
export const clock = (value: string | Date): string =>
  new Intl.DateTimeFormat(language.get(), { hour: 'numeric', minute: '2-digit' }).format(new Date(value))
