import { describe, expect, test } from 'vitest'
import {
  hasNonAsciiLocalPart,
  normalizeDomain,
  normalizeEmail,
  parseEmail,
  readableEmail,
  splitEmails,
} from './email.ts'
import { email } from './fields.ts'

/** Addresses that look like or fold to mike@likes.example: each is another mailbox, or invalid. */
const lookalikes = [
  'mi\u212ae@likes.example', // KELVIN SIGN, lower case k
  'mike@li\u212aes.example',
  'mike@like\u017f.example', // LONG S, upper case S
  'm\u0130ke@likes.example', // I with a dot, lower case i and a mark
  'm\u0131ke@likes.example', // dotless i, upper case I
  'mi\u{1d424}e@likes.example', // mathematical bold k
  '\uff4dike@likes.example', // full-width m
  'mike@\uff4cikes.example',
  'mike\uff20likes.example', // full-width @
  'mike@likes\u3002example', // ideographic full stop
  'mike\u0301@likes.example', // a combining mark
  'mike\u200d@likes.example', // a character without width
  'mi\u00adke@likes.example', // a soft hyphen
  'mike@li\u00adkes.example',
  'mike@likes\u200b.example',
  '\u00a0mike@likes.example',
]

describe('normalizeEmail', () => {
  test.each(lookalikes)('%j is not mike@likes.example [T-23]', lookalike => {
    expect(normalizeEmail(lookalike)).toBeNull()
  })

  test('lower-cases ASCII letters; only parseEmail trims white space [T-23]', () => {
    expect(normalizeEmail('MIKE@Likes.Example')).toBe('mike@likes.example')
    expect(normalizeEmail(' mike@likes.example')).toBeNull()
    expect(parseEmail('\u200b\u00a0 MIKE@Likes.Example\ufeff')).toBe('mike@likes.example')
    expect(['mike@likes.example.', 'a@b.cc,c@d.ee', '@likes.example', 'mike'].map(parseEmail)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test.each([
    ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
    ['Ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@mu\u0308nchen.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@XN--MNCHEN-3YA.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@straße.example', 'ada@xn--strae-oqa.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ])('stores the domain of %s in A-labels', (typed, kept) => {
    expect(normalizeEmail(typed)).toBe(kept)
    expect(normalizeEmail(kept)).toBe(kept)
    expect(normalizeEmail(readableEmail(kept))).toBe(kept)
  })

  test('readableEmail shows an international domain in Unicode and keeps an invalid A-label', () => {
    expect(readableEmail('ada@xn--mnchen-3ya.example')).toBe('ada@münchen.example')
    expect(readableEmail('xn--mnchen-3ya.example')).toBe('münchen.example')
    expect(readableEmail('ada@xn--r8jz45g.example')).toBe('ada@例え.example')
    expect(readableEmail('ada@xn--e1afmkfd.example')).toBe('ada@пример.example')
    for (const same of [
      'mike@xn--likes-.example',
      'mike@xn--a.example',
      'mike@xn--\u00e4.example',
      'none',
      '',
    ])
      expect(readableEmail(same)).toBe(same)
  })

  test('readableEmail keeps the A-label of a lookalike domain', () => {
    const mixed = 'ada@xn--exmple-4nf.example'
    const cyrillicApple = 'ada@xn--80ak6aa92e.example'
    for (const same of [mixed, cyrillicApple]) expect(readableEmail(same)).toBe(same)
  })

  test('normalizeDomain converts a domain to A-labels and returns null for an invalid one', () => {
    expect(normalizeDomain('München.Example')).toBe('xn--mnchen-3ya.example')
    for (const wrong of [
      'münchen',
      'a b.example',
      'ä:80.example',
      'ä/b.example',
      'a@ä.example',
      '',
      `${'ä'.repeat(70)}.example`,
    ])
      expect(normalizeDomain(wrong), wrong).toBeNull()
  })

  test('the field has its own message when only the part before the @ is not ASCII', () => {
    expect(hasNonAsciiLocalPart('jörg@likes.example')).toBe(true)
    expect(hasNonAsciiLocalPart('jörg@likes')).toBe(false)
    expect(hasNonAsciiLocalPart('jorg@münchen.example')).toBe(false)
    expect(email.safeParse('jörg@likes.example').error?.issues[0]?.message).toBe('form.email_name')
    expect(email.safeParse('jorg@likes').error?.issues[0]?.message).toBe('form.email')
  })
})

test.each([
  [' a@b.cc, c@d.ee;\n e@f.gg ,, ', ['a@b.cc', 'c@d.ee', 'e@f.gg']],
  ['Ada <a@x.example>; Bob <b@y.example>', ['a@x.example', 'b@y.example']],
  ['"Lovelace, Ada" <a@x.example>, b@y.example', ['a@x.example', 'b@y.example']],
  ['\u200ba@x.example\u3001b@y.example\uff0cc@z.example', ['a@x.example', 'b@y.example', 'c@z.example']],
  [
    'a@x.example\u061bb@y.example\u060cc@z.example\uff1bd@z.example',
    ['a@x.example', 'b@y.example', 'c@z.example', 'd@z.example'],
  ],
  ['Ada <a@x.example>\nBob <b@y.example>', ['a@x.example', 'b@y.example']],
  ['a@x.example\u00a0b@y.example', ['a@x.example', 'b@y.example']],
  ['ada a@x.example', ['ada', 'a@x.example']],
  ['<>; ,', []],
])('splitEmails separates %j', (typed, found) => {
  expect(splitEmails(typed)).toEqual(found)
})
