import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Language = 'en' | 'de'
type Texts = { [key: string]: string | Texts }
type Values = Record<string, string | number>

/** The text of a key with `{{name}}` filled in. A plural needs its full key, such as `…_other`. */
export type Translate = (key: string, values?: Values) => string

const apps = join(import.meta.dirname, '../../apps')
const files = new Map<string, Texts>()

function readTexts(file: string): Texts {
  const known = files.get(file)
  if (known) return known
  const read = JSON.parse(readFileSync(join(apps, file), 'utf8')) as Texts // as: locale files contain nothing else
  files.set(file, read)
  return read
}

/** Texts of the web app, read from its locale files so that a changed text breaks no test. */
export function textsOf(language: Language): Translate {
  return (key, values = {}) => {
    const [space = '', ...path] = key.split('.')
    let found: string | Texts | undefined = readTexts(`web/src/locales/${language}/${space}.json`)
    for (const step of path) found = typeof found === 'object' ? found[step] : undefined
    if (typeof found !== 'string') throw new Error(`No text for ${key} in ${language}`)
    return fill(found, values)
  }
}

export const planName = (language: Language, plan: string): string => serverText(language, `plans.${plan}`)

export const refusalText = (language: Language, code: string): string =>
  serverText(language, `refusals.${code}`)

export function serverText(language: Language, key: string): string {
  const text = readTexts(`server/src/locales/${language}.json`)[key]
  if (typeof text !== 'string') throw new Error(`No text for ${key} in ${language}`)
  return text
}

const fill = (text: string, values: Values): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole))

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export const matchContaining = (text: string): RegExp => new RegExp(escapeRegExp(text))

/** Matches one of the texts, with any values in place of `{{name}}`. */
export function matchOneOf(...texts: string[]): RegExp {
  const patterns = texts.map(text =>
    text
      .split(/\{\{\w+\}\}/)
      .map(escapeRegExp)
      .join('.+'),
  )
  return new RegExp(`^(${patterns.join('|')})$`)
}

/** The two combinations of language and screen that differ most. */
export const languageViewports = [
  { language: 'en', where: 'in English at a desk', use: { viewport: { width: 1440, height: 900 } } },
  { language: 'de', where: 'in German on a phone', use: germanPhone() },
] as const

/** Options for `test.use`. */
export function germanPhone() {
  return { locale: 'de-DE', viewport: { width: 390, height: 844 }, hasTouch: true }
}
