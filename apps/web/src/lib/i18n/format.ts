import { currencyFormat, majorUnits } from '@plinth/contract/money'
import { language } from './language.ts'
import { t } from './translate.ts'

/**
 * Formats money, dates and lists in the current language. Components must call `useT()` to re-render when it
 * changes.
 */
const formats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language.get(), currency, options])
  const known = formats.get(key)
  if (known) return known
  const made = currencyFormat(language.get(), currency, { currencyDisplay: 'narrowSymbol', ...options })
  formats.set(key, made)
  return made
}

/**
 * Formats an amount in minor units: `1200` of `usd` is $12.00. `whole` omits the cents when they are zero.
 */
export function money(minor: number, currency: string, options: { whole?: boolean } = {}): string {
  const format = moneyFormat(currency, options.whole ? { trailingZeroDisplay: 'stripIfInteger' } : {})
  // Some languages use a hyphen, which is too short beside digits: replace it with a minus sign.
  return format.format(majorUnits(minor, currency)).replace('-', '−')
}

/** Formats a price with fractions of a cent: `0.2` cents are $0.002. */
export function finePrice(minorDecimal: string, currency: string): string {
  return moneyFormat(currency, { maximumFractionDigits: 6 }).format(
    majorUnits(Number(minorDecimal), currency),
  )
}

/** 20 is 20 %. */
export const percent = (value: number): string =>
  new Intl.NumberFormat(language.get(), { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)

/** A short date: 4 Dec 2026. */
export function day(value: string | Date): string {
  return new Intl.DateTimeFormat(language.get(), { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(value),
  )
}

/** A long date from `YYYY-MM-DD`: 4 December 2026. */
export const longDay = (day: string): string =>
  new Intl.DateTimeFormat(language.get(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))

const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Relative time in the largest unit that fits: 3 hours ago. */
export function ago(value: string): string {
  const seconds = Math.max(0, (Date.now() - new Date(value).getTime()) / 1000)
  const step = steps.find(([, length]) => seconds >= length)
  if (!step) return t('global.just_now')
  const [unit, length] = step
  const format = new Intl.RelativeTimeFormat(language.get(), { numeric: 'auto' })
  return format.format(-Math.floor(seconds / length), unit)
}

/** Billing dates use UTC in every time zone, like mails and invoices. */
const billingDays = () =>
  new Intl.DateTimeFormat(language.get(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A billing date: 4 Dec 2026. */
export const billingDay = (value: string | Date): string => billingDays().format(new Date(value))

/** A range of billing dates without repeated parts: 20 Nov – 20 Dec 2026. */
export const billingSpan = (from: string, to: string): string =>
  billingDays().formatRange(new Date(from), new Date(to))

/** A number with thousands separators. */
export const count = (value: number): string => new Intl.NumberFormat(language.get()).format(value)

/** A short list: "3 users, 1 API key". */
export function list(parts: readonly string[]): string {
  return new Intl.ListFormat(language.get(), { type: 'unit', style: 'short' }).format(parts)
}

/** For chart axes: at most one decimal. Cached, so the object stays the same until the language changes. */
export const tickFormat = (currency: string): Intl.NumberFormat =>
  moneyFormat(currency, { minimumFractionDigits: 0, maximumFractionDigits: 1 })

/** The time of day: 14:32, or 2:32 PM. */
export const clock = (value: string | Date): string =>
  new Intl.DateTimeFormat(language.get(), { hour: 'numeric', minute: '2-digit' }).format(new Date(value))
