import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { locales } from '../../lib/i18n.ts'
import { mailLanguage, mailTranslator, toPlainString, trustedText } from './translate.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const textsOf = (locale: string): Record<string, string> =>
  JSON.parse(read(`../../locales/${locale}.mail.json`))
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(found => found[1]).sort()

const english = textsOf('en')
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const plurals = new Set(
  Object.keys(english)
    .filter(key => key.endsWith('_other'))
    .map(base),
)

/** Keys that a language must have: the English ones, with the plural suffixes of its grammar. */
function expected(locale: string): string[] {
  const endings = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const names = new Set(Object.keys(english).map(key => (plurals.has(base(key)) ? base(key) : key)))
  return [...names]
    .flatMap(name => (plurals.has(name) ? endings.map(ending => `${name}_${ending}`) : [name]))
    .sort()
}

test.each(locales)('%s has all keys, no others, and no empty text', locale => {
  const texts = textsOf(locale)
  expect(Object.keys(texts).sort()).toEqual(expected(locale))
  for (const text of Object.values(texts)) expect(text.trim()).not.toBe('')
})

test.each(locales)('%s has the same placeholders as English', locale => {
  for (const [key, text] of Object.entries(textsOf(locale))) {
    const model = english[key] ?? english[`${base(key)}_other`] ?? ''
    expect(placeholders(text), key).toEqual(placeholders(model))
  }
})

test('no key is unused', () => {
  const files = [
    './layout.ts',
    './translate.ts',
    ...readdirSync(new URL('./templates', import.meta.url)).map(f => `./templates/${f}`),
  ]
  const source = files.map(read).join('\n')
  const unused = [...new Set(expected('en').map(key => (plurals.has(base(key)) ? base(key) : key)))].filter(
    key => !source.includes(`'${key}'`),
  )
  expect(unused).toEqual([])
})

test.each([
  ['en', 'en'],
  ['de-AT', 'de'],
  ['DE_ch', 'de'],
  ['xx', 'en'],
  ['', 'en'],
  ['__proto__', 'en'],
])('the locale %j reads %s', (locale, language) => {
  expect(mailLanguage(locale)).toBe(language)
})

test('a count selects the plural form', () => {
  expect(toPlainString(mailTranslator('en')('layout.link_hours', { count: 1 }))).toBe(
    'The link works once, for 1 hour.',
  )
  expect(toPlainString(mailTranslator('de')('layout.link_days', { count: 7 }))).toBe(
    'Der Link funktioniert einmal, 7 Tage lang.',
  )
})

test('a placeholder inside a name is not replaced', () => {
  const said = mailTranslator('en')('invite.subject', { inviter: '{{account_name}}', account_name: 'Acme' })
  expect(toPlainString(said)).toBe('{{account_name}} invited you to Acme')
})

test('a name that is empty after cleaning shows as an ellipsis', () => {
  expect(toPlainString(mailTranslator('en')('invite.heading', { account_name: '\u202e\u200b' }))).toBe(
    'Join …',
  )
})

test('a missing value or key throws', () => {
  expect(() => mailTranslator('en')('invite.role')).toThrow('No value for role in invite.role')
  expect(() => mailTranslator('en')('layout.link_hours', { count: trustedText('2') })).toThrow(
    'No text for layout.link_hours',
  )
})
