import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName, cleanText } from './sanitize.ts'

test.each([
  ['Mara Lindqvist', 'Mara Lindqvist'],
  ['Northquay Studio & Söhne, Inc.', 'Northquay Studio & Söhne, Inc.'],
  ['Dr. Ana O’Neil-Pérez', 'Dr. Ana O’Neil-Pérez'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['  two \t spaces\u00a0here ', 'two spaces here'],
  ['Jose\u0301', 'José'],
  ['می‌خواهم', 'می‌خواهم'],
  ['👩‍👩‍👧 Family', '👩‍👩‍👧 Family'],
])('keeps the name %j', (raw, clean) => {
  expect(cleanName(raw)).toBe(clean)
})

test.each([
  ['line breaks', 'a\r\nBcc: victim@x.org', 'a Bcc: victim @ x. org'],
  ['Unicode line breaks', 'a\u2028b\u2029c\u0085d\u000be', 'a b c d e'],
  ['null', 'a\0b', 'a b'],
  ['right-to-left override', '\u202eMOC.LIVE', 'MOC. LIVE'],
  ['bidi isolates and marks', 'a\u2066b\u2069c\u200ed\u061ce', 'abcde'],
  ['zero width characters', 'e\u200bv\ufeffi\u2060l\u00ad', 'evil'],
  ['joiners between signs', 'evil.\u200dcom', 'evil. com'],
  ['tag characters', 'a\u{e0041}b', 'ab'],
  ['half an emoji', 'a\ud83d', 'a\ufffd'],
  ['a domain', 'Visit evil.com', 'Visit evil. com'],
  ['a sub-domain', 'www.evil.co.uk', 'www. evil. co. uk'],
  ['an address of numbers', '192.168.0.1', '192. 168. 0. 1'],
  ['dots of other scripts', 'evil。com evil．com evil｡com', 'evil。 com evil． com evil｡ com'],
  ['a URL', 'https://evil.com/a?b=c', 'https: /evil. com/a?b=c'],
  ['a URL without a scheme', '//evil.com', '/evil. com'],
  ['another scheme', 'tel:112 mailto:x javascript:alert(1)', 'tel: 112 mailto: x javascript: alert(1)'],
  ['a network share', '\\\\evil\\share', '\\evil\\share'],
  ['an address', 'bob@evil.com', 'bob @ evil. com'],
  ['an encoded word', '=?utf-8?Q?evil=2Ecom?=', '= ?utf-8?Q?evil=2Ecom?='],
])('defuses %s', (_, raw, clean) => {
  expect(cleanName(raw)).toBe(clean)
})

test('any name becomes one short line without links or invisible characters', () => {
  const nasty = fc.constantFrom(
    '.',
    ':',
    '/',
    '\\',
    '@',
    '=?',
    'com',
    'www.',
    'https://',
    '\r\n',
    '\u202e',
    '\u200d',
    ' ',
  )
  const names = fc
    .array(fc.oneof(nasty, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(names, raw => {
      const clean = cleanName(raw)
      expect(clean.length).toBeLessThanOrEqual(100)
      expect(clean).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      expect(clean).not.toMatch(/\.[\p{L}\p{N}]|:\/|\/\/|\\\\|\S@\S|=\?|^\s|\s$|\s\s/u)
    }),
  )
})

test.each([['a'.repeat(5_000_000)], ['.a'.repeat(100)], ['👩‍👩‍👧'.repeat(100)], ['e\u0301'.repeat(400)]])(
  'cuts a long name to 100 characters, between graphemes',
  raw => {
    const clean = cleanName(raw)
    expect(clean.length).toBeLessThanOrEqual(100)
    expect(clean.endsWith('…')).toBe(true)
    expect(clean.isWellFormed()).toBe(true)
    expect(clean).not.toMatch(/\u200d…$/)
  },
)

test('trusted text keeps its dots and loses only invisible characters', () => {
  expect(cleanText('1.200,00\u00a0€\u200f')).toBe('1.200,00 €')
})
