import { readableEmail } from '@plinth/contract/email'
import { useStore } from '../store.ts'
import { language } from './language.ts'
import { type TextKey, textOf } from './texts.ts'

type Values = Record<string, string | number>
export type Translate = (key: TextKey, values?: Values) => string

/**
 * The text of a key with `{{name}}` filled in. `count` selects the plural form: `key_one`, `key_other`. In
 * components use `useT()`, which re-renders them when the language changes.
 */
export const t: Translate = (key, values = {}) => {
  const now = language.get()
  const text = findText(now, key, values)
  if (text === undefined) {
    // Tests find missing texts. In production, showing the key is better than a broken page.
    console.error(`No text for ${key} in ${now}`)
    return key
  }
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return number(now, value)
    // International email addresses are stored with an ASCII domain: show the Unicode form.
    return value === undefined ? whole : readableEmail(value)
  })
}

function findText(now: string, key: string, { count }: Values): string | undefined {
  if (typeof count !== 'number') return textOf(now, key)
  return textOf(now, `${key}_${plural(now, count)}`) ?? textOf(now, `${key}_other`)
}

const plurals = new Map<string, Intl.PluralRules>()
function plural(now: string, count: number): Intl.LDMLPluralRule {
  const rules = plurals.get(now) ?? new Intl.PluralRules(now)
  plurals.set(now, rules)
  return rules.select(count)
}

const numbers = new Map<string, Intl.NumberFormat>()
function number(now: string, value: number): string {
  const format = numbers.get(now) ?? new Intl.NumberFormat(now)
  numbers.set(now, format)
  return format.format(value)
}

/** Returns `t` and re-renders the component when the language changes. */
export function useT(): Translate {
  useStore(language)
  return t
}
