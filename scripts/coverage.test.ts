import { describe, expect, test } from 'vitest'
import { currentCoverage } from './coverage.ts'
import { parseItems } from './spec-map/items.ts'
import { renderCoverage, unknownTags } from './spec-map/render.ts'
import { proofsIn } from './spec-map/titles.ts'

describe('the coverage map', () => {
  test('every item of docs/spec-items.txt has a test', () => {
    expect(currentCoverage().text).not.toContain('| **gap** |')
  })

  test('every tag in a title is an item of docs/spec-items.txt', () => {
    expect(currentCoverage().unknown).toEqual([])
  })
})

describe('tags are read from titles', () => {
  const tags = (text: string) => proofsIn('a.test.ts', text).map(proof => proof.tag)

  test('several in one title, and from describe, each and template titles', () => {
    expect(tags("test('[route:/a] [call:GET /b] works', () => {})")).toEqual(['route:/a', 'call:GET /b'])
    expect(tags("describe('[rule:x] all', () => { it('[rule:y] one', () => {}) })")).toEqual([
      'rule:x',
      'rule:y',
    ])
    expect(tags("test.each([1])('[rule:z] %s', () => {})")).toEqual(['rule:z'])
    const placeholder = '$' + '{name}'
    expect(tags(`test(\`[rule:w] ${placeholder}\`, () => {})`)).toEqual(['rule:w'])
  })

  test('one for each row of a table that is written out in the file', () => {
    expect(tags("test.each([['/a', 1], ['/b', 2]])('[route:%s] has %s', () => {})")).toEqual([
      'route:/a',
      'route:/b',
    ])
    expect(tags("const rows = ['/a'] as const\ntest.each(rows)('[route:%s] opens', () => {})")).toEqual([
      'route:/a',
    ])
  })

  test('not from comments, other strings, or tests that are not run', () => {
    expect(tags("// test('[rule:x] no', () => {})")).toEqual([])
    expect(tags("expect('[rule:x]').toBe(1)")).toEqual([])
    expect(tags("test.skip('[rule:x] later', () => {})")).toEqual([])
    expect(tags("describe.todo('[rule:x] later')")).toEqual([])
  })
})

describe('the list of items', () => {
  const list = '# how\n## Routes\nroute:/a | first\nroute:/b | second\n'

  test('an item with a test names it, one without is a gap, and the counts say so', () => {
    const text = renderCoverage(parseItems(list), [
      { tag: 'route:/a', file: 'e2e/a.spec.ts', title: 'opens' },
    ])
    expect(text).toContain('1 of 2 items have a test, 1 are gaps')
    expect(text).toContain('| `route:/a` | first | e2e/a.spec.ts: opens |')
    expect(text).toContain('| `route:/b` | second | **gap** |')
  })

  test('a hyphen and an underscore are the same', () => {
    const proofs = [{ tag: 'state:sign_out', file: 'a.test.ts', title: 'ends' }]
    const sections = parseItems('## States\nstate:sign-out | ends')
    expect(unknownTags(sections, proofs)).toEqual([])
    expect(renderCoverage(sections, proofs)).toContain('1 of 1 items')
  })

  test('a tag without an item is named with its file', () => {
    const proofs = [{ tag: 'route:/c', file: 'e2e/c.spec.ts', title: 'opens' }]
    expect(unknownTags(parseItems(list), proofs)).toEqual(['[route:/c] in e2e/c.spec.ts'])
  })

  test('a repeated or malformed line is refused with its number', () => {
    expect(() => parseItems(`${list}route:/a | again`)).toThrow(':5 has the id route:/a a second time')
    expect(() => parseItems('## A\nno kind')).toThrow(':2 is not')
  })
})
