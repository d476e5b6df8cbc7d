import { readableEmail } from '@plinth/contract/email'
import type { Locale } from '../../lib/i18n.ts'
import de from '../../locales/de.mail.json' with { type: 'json' }
import en from '../../locales/en.mail.json' with { type: 'json' }
import { cleanName, cleanText } from './sanitize.ts'

type PluralizedKey = keyof typeof en
/** Keys without plural suffixes; `count` selects the suffix. */
export type MailKey = PluralizedKey extends infer K
  ? K extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : K
  : never

const texts: Record<Locale, Record<string, string>> = { en, de }

/** A name is a separate part, so that its writing direction cannot affect the sentence. */
export type TextPart = string | { name: string }
export type TranslatedText = readonly TextPart[]

/** A price, role or validated address: not escaped like a name. International domains are shown in Unicode. */
export type TrustedText = { text: string }
export const trustedText = (text: string): TrustedText => ({ text: readableEmail(text) })

export type Values = Record<string, string | number | TrustedText>
export type TranslateMail = (key: MailKey, values?: Values) => TranslatedText

/** Language of the mail for a stored locale: the locale, its language, or English. */
export function mailLanguage(locale: string): Locale {
  const language = locale.toLowerCase().split(/[-_]/)[0]
  return Object.keys(texts).find((known): known is Locale => known === language) ?? 'en'
}

/** Translates into one language. Throws for a missing key or value, so that no incomplete mail is sent. */
export function mailTranslator(language: Locale): TranslateMail {
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const count = values.count
    const own = texts[language]
    const text = typeof count === 'number' ? own[`${key}_${plural.select(count)}`] : own[key]
    if (text === undefined) throw new Error(`No text for ${key} in ${language}`)
    // One pass, so that a name that contains a placeholder is not replaced again.
    return text
      .split(/(\{\{\w+\}\})/)
      .filter(Boolean)
      .map(part => {
        const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1]
        if (name === undefined) return part
        const value = values[name]
        if (value === undefined) throw new Error(`No value for ${name} in ${key}`)
        if (typeof value === 'number') return number.format(value)
        if (typeof value === 'object') return cleanText(value.text)
        return { name: cleanName(value) || '…' }
      })
  }
}

export const toPlainString = (text: TranslatedText): string =>
  text.map(part => (typeof part === 'string' ? part : part.name)).join('')

/** "Hello Mara,", or "Hello," when nothing is left of the cleaned name. */
export const greeting = (translate: TranslateMail, name: string): TranslatedText =>
  cleanName(name) ? translate('layout.greeting', { name }) : translate('layout.greeting_plain')
