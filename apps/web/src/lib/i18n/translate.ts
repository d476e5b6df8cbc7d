import { readableEmail } from '@plinth/contract/email'
import { useStore } from '../store.ts'
import { language } from './language.ts'
import { type TextKey, textOf } from './texts.ts'

type Values = Record<string, string | number>
export type Translate = (key: TextKey, values?: Values) => string

/**
 * The text of a key with `{{name}}` filled in. With `count` the plural's form is chosen: `key_one`, `key_other`.
 * Components take it from `useT()`, so that they follow a change of language; other code imports it.
 */
export const t: Translate = (key, values = {}) => {
  const now = language.get()
  const text = chosen(now, key, values)
  if (text === undefined) {
    // A missing text is a bug that a test finds; in front of a visitor the key is better than a broken page.
    console.error(`No text for ${key} in ${now}`)
    return key
  }
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return number(now, value)
    // An international address is stored in A-labels.
    return value === undefined ? whole : readableEmail(value)
  })
}

function chosen(now: string, key: string, { count }: Values): string | undefined {
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

/** `t` that re-renders its component when the language changes. */
export function useT(): Translate {
  useStore(language)
  return t
}
