import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const locales = join(import.meta.dirname, '../../locales')
const sources = join(import.meta.dirname, '../..')
const languages = readdirSync(locales)

type Tree = { [key: string]: string | Tree }

function flat(tree: Tree, prefix: string): Array<[key: string, text: string]> {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = `${prefix}.${name}`
    return typeof value === 'string' ? [[key, value] as [string, string]] : flat(value, key)
  })
}

function textsOf(language: string): Map<string, string> {
  const files = readdirSync(join(locales, language)).filter(name => name.endsWith('.json'))
  return new Map(
    files.flatMap(name => {
      const tree = JSON.parse(readFileSync(join(locales, language, name), 'utf8')) as Tree // as: files of texts have this shape
      return flat(tree, name.replace('.json', ''))
    }),
  )
}

const english = textsOf('en')
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const isPlural = (key: string) => key !== base(key) && english.has(`${base(key)}_other`)
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1]).sort()

describe.each(languages)('texts in %s', language => {
  const texts = textsOf(language)

  test('[i18n:complete] has the same keys as English', () => {
    const once = (keys: Iterable<string>) =>
      [...new Set([...keys].map(key => (isPlural(key) ? base(key) : key)))].sort()
    expect(once(texts.keys())).toEqual(once(english.keys()))
  })

  test('[i18n:plurals] has every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const plurals = new Set([...english.keys()].filter(isPlural).map(base))
    const missing = [...plurals]
      .flatMap(key => forms.map(form => `${key}_${form}`))
      .filter(key => !texts.has(key))
    expect(missing).toEqual([])
  })

  test('[i18n:placeholders] has the same placeholders as English', () => {
    for (const [key, text] of texts) {
      const model = english.get(key) ?? english.get(`${base(key)}_other`) ?? ''
      expect([key, placeholders(text)]).toEqual([key, placeholders(model)])
    }
  })

  test('[i18n:style] no text is empty, ends with an exclamation mark or has stray spaces', () => {
    const bad = [...texts].filter(
      ([, text]) => text === '' || text !== text.trim() || /!\s*$|!\s+[A-ZÄÖÜ]/.test(text),
    )
    expect(bad).toEqual([])
  })
})

const namespaces = new Set([...english.keys()].map(key => key.split('.')[0]))

function sourceTexts(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return files
    .filter(name => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(name => readFileSync(join(sources, name), 'utf8'))
}

const code = sourceTexts()
const found = (spelling: RegExp) =>
  code
    .flatMap(text => [...text.matchAll(spelling)].map(([, key = '']) => key))
    .filter(key => namespaces.has(key.split('.')[0]))

/** Every string in the sources that looks like a key of one of our namespaces. */
const used = new Set(found(/['"`]([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)['"`]/g))
/** Keys in template literals, such as `onboarding.${step}.title`: a placeholder matches any word. */
const patterns = found(/`([a-z][a-z0-9_]*(?:\.(?:[a-z0-9_]|\$\{[^{}]+\})+)+)`/g)
  .filter(key => key.includes('${'))
  .map(key => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^{}]+\}/g, '[a-z0-9_]+')}$`))

test('[i18n:missing] every key in the sources has a text', () => {
  const known = (key: string) => english.has(key) || english.has(`${key}_other`)
  expect([...used].filter(key => !known(key))).toEqual([])
})

test('[i18n:unused] every text is used', () => {
  const isUsed = (key: string) => used.has(key) || patterns.some(pattern => pattern.test(key))
  const idle = [...english.keys()].filter(key => !isUsed(key) && !(isPlural(key) && isUsed(base(key))))
  expect(idle).toEqual([])
})
