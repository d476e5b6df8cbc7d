import { readFileSync } from 'node:fs'
import { refusals } from '@plinth/contract/refusals'
import { describe, expect, test } from 'vitest'
import { makeEncrypter } from './crypto.ts'
import { pickLocale, translate, waitIn } from './i18n.ts'
import { newId } from './ids.ts'

const words = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8'))

describe('words', () => {
  const en = words('en')
  const de = words('de')
  const holes = (text = '') => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).sort()

  test('both languages have the same keys and the same holes', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
    for (const key of Object.keys(en)) expect(holes(de[key]), key).toEqual(holes(en[key]))
  })

  test('every refusal has its words', () => {
    for (const code of Object.keys(refusals)) expect(en, code).toHaveProperty([`refusals.${code}`])
  })

  test.each([
    [undefined, 'en'],
    ['de', 'de'],
    ['de;q=0', 'en'],
    ['de;q=abc', 'en'],
    ['de;q=2', 'en'],
    ['de ; q=0.8', 'de'],
    ['de\t;\tq=0.8, en;q=0.7', 'de'],
    ['en;q=0.1, de-AT;q=0.123', 'de'],
    ['en;q=0, *', 'de'],
    ['*, de;q=0.5', 'en'],
    ['*;q=0.5, de;q=0', 'en'],
    ['de;q=0.1234, de_DE, ,;q=1', 'en'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['fr, en;q=0.8, de;q=0.9', 'de'],
    ['xx', 'en'],
    ['../../x', 'en'],
    ['x'.repeat(10_000), 'en'],
  ])('%s is answered in %s [T-84]', (header, locale) => {
    expect(pickLocale(header)).toBe(locale)
  })

  test.each([
    [1, 'in 1 second', 'in 1 Sekunde'],
    [90, 'in 90 seconds', 'in 90 Sekunden'],
    [91, 'in 2 minutes', 'in 2 Minuten'],
    [900, 'in 15 minutes', 'in 15 Minuten'],
    [7201, 'in 3 hours', 'in 3 Stunden'],
  ])('after %i seconds is %s', (seconds, english, german) => {
    expect([waitIn('en', seconds), waitIn('de', seconds)]).toEqual([english, german])
  })

  test('a value in a text is not read as a text', () => {
    expect(translate('en', 'accounts.default_name', { name: '{{name}} $& %s' })).toBe(
      '{{name}} $& %s’s account',
    )
  })
})

describe('sealing', () => {
  const one = makeEncrypter(['first secret'])

  test('opens only with the same words around it', () => {
    const sealed = one.encrypt('a link', 'mail 1')
    expect(sealed).not.toContain('a link')
    expect(one.decrypt(sealed, 'mail 1')).toBe('a link')
    expect(() => one.decrypt(sealed, 'mail 2')).toThrow()
  })

  test('no byte can be turned', () => {
    const sealed = one.encrypt('a link', 'mail 1')
    for (let n = 0; n < sealed.length; n++) {
      const turned = sealed.slice(0, n) + (sealed[n] === 'A' ? 'B' : 'A') + sealed.slice(n + 1)
      const opened = (() => {
        try {
          return one.decrypt(turned, 'mail 1')
        } catch {
          return null // Expected: it does not decrypt.
        }
      })()
      // The last character of each base64url part holds bits that no byte uses; turning those changes nothing.
      expect([null, 'a link']).toContain(opened)
      if (opened !== null)
        expect(Buffer.from(turned.split('.')[2] ?? '', 'base64url')).toEqual(
          Buffer.from(sealed.split('.')[2] ?? '', 'base64url'),
        )
    }
  })

  test.each([4, 8, 12, 15])('a tag of %i bytes is refused [V11.2.5]', length => {
    const [id, nonce, rest = ''] = one.encrypt('a link', 'mail 1').split('.')
    const bytes = Buffer.from(rest, 'base64url')
    const body = bytes.subarray(0, -16)
    for (const short of [body, Buffer.alloc(0)]) {
      const cut = Buffer.concat([short, bytes.subarray(-16, -16 + length)]).toString('base64url')
      expect(() => one.decrypt([id, nonce, cut].join('.'), 'mail 1')).toThrow()
    }
  })

  test('a rotated secret opens what the old one sealed, a lost one does not', () => {
    const sealed = one.encrypt('a link', 'mail 1')
    expect(makeEncrypter(['second secret', 'first secret']).decrypt(sealed, 'mail 1')).toBe('a link')
    expect(() => makeEncrypter(['second secret']).decrypt(sealed, 'mail 1')).toThrow('no longer known')
  })
})

test('ids are version 7, unique, and in order of time', () => {
  const ids = Array.from({ length: 1000 }, (_, n) => newId(1_700_000_000_000 + n))
  expect(
    ids.every(id => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(1000)
})
