import { readFileSync } from 'node:fs'

/** Languages of server messages. A locale is only ever taken from this list (T-84). */
export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]

type Words = Record<string, string>
const load = (locale: Locale): Words =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8'))
const words: Record<Locale, Words> = { en: load('en'), de: load('de') }

export function isLocale(value: unknown): value is Locale {
  return locales.some(locale => locale === value)
}

/** The text of a key in a language, English where it is missing, the key itself where there is none. */
export function translate(locale: Locale, key: string, values: Record<string, string | number> = {}): string {
  const text = words[locale][key] ?? words.en[key] ?? key
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** When to try again, as part of a sentence: "in 40 seconds", "in 12 minutes". Rounded up, so that it is late enough. */
export function waitIn(locale: Locale, seconds: number): string {
  const [unit, size] = waits.find(([, , from]) => seconds > from) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(locale).format(Math.ceil(seconds / size), unit)
}
const waits = [
  ['hour', 3600, 2 * 3600],
  ['minute', 60, 90],
] as const

/** A field's name as the screens show it. */
export function labelOf(field: string | undefined, locale: Locale): string {
  const key = `fields.${field}`
  return translate(locale, field && hasText(key) ? key : 'fields.other')
}

export const hasText = (key: string) => words.en[key] !== undefined

/** A language range and its weight, as RFC 9110 (12.4.2, 12.5.4) writes them. */
const range = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/** The best language for an Accept-Language header, English when none fits. Malformed ranges are ignored. */
export function pickLocale(header: string | undefined): Locale {
  if (!header || header.length > 500) return 'en'
  const wanted = header
    .split(',')
    .map(part => range.exec(part.trim()))
    .filter(match => match !== null)
    .map(([, tag = '', q = '1']) => ({ language: tag.toLowerCase().split('-', 1)[0] ?? '', q: Number(q) }))
    .sort((a, b) => b.q - a.q)
  const named = (locale: Locale) => wanted.some(({ language }) => language === locale)
  for (const { language, q } of wanted) {
    if (q === 0) break
    const known = locales.find(locale => (language === '*' ? !named(locale) : locale === language))
    if (known) return known
  }
  return 'en'
}
