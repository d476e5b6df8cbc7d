import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attacks } from './pattern-steps/attacks.ts'
import { finds, stepsOf, tooMany } from './pattern-steps/steps.ts'
import { composing, patterns, patternsOf, whySlow } from './patterns.ts'

const root = join(import.meta.dirname, '..')
const all = patterns(root)

/** Patterns whose time grows with the square of the text, and what keeps the text short, or ours. */
const shortTexts: Record<string, string> = {
  'apps/web/src/ui/styleguide/FormSamples.tsx': 'a page for developers',
  'apps/web/src/lib/navigate.ts': 'the path of our own address',
  'apps/web/src/lib/i18n/translate.ts': 'our own texts',
  'apps/server/src/lib/i18n.ts': 'our own texts',
  'apps/server/src/integrations/mail/translate.ts': 'our own texts',
  'apps/server/src/lib/sender.ts': 'a setting',
  'apps/server/src/integrations/saml/xml.ts':
    'cut to the declaration, or sticky at one place; the message is capped',
  'apps/server/src/identity/device-labels.ts': 'a browser’s name, cut to 300 characters by mount',
  'apps/server/src/identity/password-rules.ts': 'a password, 256 characters at most',
}

test('no pattern that strangers’ text reaches can be made to backtrack [T-76]', () => {
  expect(all.length).toBeGreaterThan(100)
  const slow = all
    .filter(({ file }) => !shortTexts[file])
    .flatMap(({ file, line, pattern }) => {
      const why = whySlow(pattern)
      return why ? [`${file}:${line} ${pattern} ${why}`] : []
    })
  expect(slow).toEqual([])
}, 60_000)

/** Patterns built at run time, and why no input from outside is part of them. */
const composed: Record<string, string> = {
  'apps/server/src/server/methods.ts': 'our own paths',
  'apps/server/src/api-docs/openapi-example.ts': 'patterns of our own schemas, on our own examples',
  'apps/server/src/identity/two-factor-codes.ts': 'a number of ours, on a code that was just made',
  'packages/contract/src/fields.ts': 'classes of characters',
  'packages/contract/src/email.ts': 'classes of characters',
  'apps/server/src/integrations/saml/xml.ts':
    'names and values, sticky at one place; the bombs of the corpus run on them',
}

test('no pattern is put together from what strangers send [T-76] [V1.2.9]', () => {
  expect(composing(root).sort()).toEqual(Object.keys(composed).sort())
})

test('the check reports patterns with exponential time, and no linear ones', () => {
  expect(whySlow(/^(a+)+$/)).toBe('hitMaxScore')
  // The analysis does not finish for this one, whatever the timeout, so it is reported as slow.
  expect(whySlow(/^(\w|\d)*$/, 500)).toBe('timedOut')
  expect(whySlow(/^[a-z0-9-]{1,63}$/)).toBeNull()
  expect(
    patternsOf('x.ts', 'const a = 1\nconst b = /x+/gi').map(({ line, pattern }) => [line, String(pattern)]),
  ).toEqual([[2, '/x+/gi']])
})

/** Twice the text may take a little more than twice the steps; with the square of it, it would take four times. */
const most = 2.6
const sizes = [96, 192] as const

/** The text, three times as short as it was, that makes a pattern work out of proportion; null when there is none. */
function whatSlows(pattern: RegExp): string | null {
  const found = attacks(pattern).find(attack => {
    const [short = 0, long = 0] = sizes.map(size => stepsOf(pattern, attack(size)))
    // A pattern that needs a constant number of steps is fine.
    return long >= tooMany || long > 100 + most * short
  })
  return found ? JSON.stringify(found(3)) : null
}

describe('T-76 each pattern, run step by step on texts that repeat its repeated parts', () => {
  const once = new Map(all.map(found => [String(found.pattern), found]))

  test('takes at most proportionally more steps for twice the text', () => {
    const slow = [...once.values()]
      .filter(({ file }) => !shortTexts[file])
      .flatMap(({ file, line, pattern }) => {
        const text = whatSlows(pattern)
        return text ? [`${file}:${line} ${pattern} on ${text}`] : []
      })
    expect(slow).toEqual([])
  }, 120_000)

  test('the check fires: on what explodes, and on what grows with the square, wherever the text begins', () => {
    for (const pattern of [
      /^(a+)+$/,
      /^(\w|\d)*$/,
      /\s+$/,
      /^\s*-?\s*$/,
      /(.*)=(.*);/,
      /^(.+?)\1+$/u,
      /@.+\..+/,
    ])
      expect(whatSlows(pattern), String(pattern)).not.toBeNull()
    for (const pattern of [
      /^[a-z0-9-]{1,63}$/,
      /^(?:[a-z]+-)*[a-z]+$/,
      /\d/g,
      /^[^@]+@[^@]+$/,
      /^"(?:\\.|[^"\\])*"$/,
    ])
      expect(whatSlows(pattern), String(pattern)).toBeNull()
  })

  test.each([
    [/^(?:a|b)+c?$/, 'abab', true],
    [/(["']).*?\1/, `x"y'z"`, true],
    [/^0+(?=.)/, '00', true],
    [/(?<=\S)@(?=\S)/, ' @ ', false],
    [/\bX11\b/, '(X11;', true],
    [/^\p{L}{2,3}$/u, 'äöüß', false],
  ])('and it reads patterns as they are meant: %s on %j', (pattern, text, fits) => {
    // Found at once, or looked for everywhere: never fewer steps than letters where nothing is found.
    expect(pattern.test(text)).toBe(fits)
    expect(stepsOf(pattern, text)).toBeGreaterThan(0)
    expect(finds(pattern, text)).toBe(fits)
  })
})
