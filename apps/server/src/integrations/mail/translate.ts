import { readableEmail } from '@plinth/contract/email'
import type { Locale } from '../../lib/i18n.ts'
import de from '../../locales/de.mail.json' with { type: 'json' }
import en from '../../locales/en.mail.json' with { type: 'json' }
import { cleanName, cleanText } from './sanitize.ts'

type PluralizedKey = keyof typeof en
/** Keys as templates write them: the plural endings are chosen by `count`. */
export type MailKey = PluralizedKey extends infer K
  ? K extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : K
  : never

const texts: Record<Locale, Record<string, string>> = { en, de }

/** A name is kept apart from the sentence around it, so that its writing direction can't leak into that. */
export type TextPart = string | { name: string }
export type TranslatedText = readonly TextPart[]

/** A price, a role, a checked address: shown without the defusing of names; an international domain as people read it. */
export type TrustedText = { trustedText: string }
export const ours = (text: string): TrustedText => ({ trustedText: readableEmail(text) })

export type Values = Record<string, string | number | TrustedText>
export type TranslateMail = (key: MailKey, values?: Values) => TranslatedText

/** Language of the mail for a stored locale: the locale, its language, or English. */
export function mailLanguage(locale: string): Locale {
  const language = locale.toLowerCase().split(/[-_]/)[0]
  return Object.keys(texts).find((known): known is Locale => known === language) ?? 'en'
}

/** The sentences of one language. A missing key or value is a bug and throws: no mail leaves with a hole in it. */
export function mailTranslator(language: Locale): TranslateMail {
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const count = values.count
    const own = texts[language]
    const text = typeof count === 'number' ? own[`${key}_${plural.select(count)}`] : own[key]
    if (text === undefined) throw new Error(`No text for ${key} in ${language}`)
    // One pass: a name that spells a placeholder is not filled in again.
    return text
      .split(/(\{\{\w+\}\})/)
      .filter(Boolean)
      .map(part => {
        const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1]
        if (name === undefined) return part
        const value = values[name]
        if (value === undefined) throw new Error(`No value for ${name} in ${key}`)
        if (typeof value === 'number') return number.format(value)
        if (typeof value === 'object') return cleanText(value.trustedText)
        return { name: cleanName(value) || '…' }
      })
  }
}

export const toPlainString = (text: TranslatedText): string =>
  text.map(part => (typeof part === 'string' ? part : part.name)).join('')

/** "Hello Mara," and, where cleaning leaves nothing of the name, "Hello,". */
export const greeting = (translate: TranslateMail, name: string): TranslatedText =>
  cleanName(name) ? translate('layout.greeting', { name }) : translate('layout.greeting_plain')
