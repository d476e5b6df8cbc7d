import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from './ids.ts'
import { pageOf, placeOf } from './paging.ts'
import { Refusal } from './refusal.ts'
import { folded, patternsOf } from './search.ts'

type Row = { id: string; value: string }

/** Reads like a store: rows beyond a place in order, one more than the page has. */
function read(rows: readonly Row[], cursor: string | undefined, limit: number) {
  const place = placeOf(cursor)
  const at = place ? rows.findIndex(row => row.id === place.id) : -1
  const beyond = place?.back ? rows.slice(0, at).reverse() : rows.slice(at + 1)
  return pageOf(beyond.slice(0, limit + 1), { place, limit, counted: rows.length }, row => row)
}

describe('paging by cursor', () => {
  test('forwards and back again shows every row once, numbered as they lie', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 12 }), (count, limit) => {
        const rows = Array.from({ length: count }, (_, n) => ({ id: newId(n), value: `v${n}` }))
        const seen: Row[] = []
        const starts: number[] = []
        let part = read(rows, undefined, limit)
        expect(part.page.previous).toBeNull()
        for (;;) {
          expect(part.page.start).toBe(part.rows.length ? seen.length + 1 : 0)
          starts.push(part.page.start)
          seen.push(...part.rows)
          if (!part.page.next) break
          part = read(rows, part.page.next, limit)
        }
        expect(seen).toEqual(rows)
        while (part.page.previous) {
          part = read(rows, part.page.previous, limit)
          starts.pop()
          expect(part.page.start).toBe(starts.at(-1))
          expect(part.page.next).not.toBeNull()
          expect(part.rows).toEqual(rows.slice(part.page.start - 1, part.page.start - 1 + limit))
        }
        expect(starts.length).toBe(1)
      }),
    )
  })

  test('more rows than are counted have no total', () => {
    const of = (counted: number) => pageOf([], { place: undefined, limit: 1, counted }, row => row).page.total
    expect([of(0), of(1000), of(1001)]).toEqual([0, 1000, null])
  })

  test('a cursor that we did not make is refused', () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const id = newId(1)
    expect(placeOf(json(['a', id, 3, false]))).toEqual({ value: 'a', id, start: 3, back: false })
    for (const wrong of [
      '',
      'x',
      json(null),
      json([1, id, 3, false]),
      json(['a', "'", 3, false]),
      json(['a', id, 0, false]),
      json(['a', id, 3, 1]),
    ])
      expect(() => placeOf(wrong), wrong).toThrow(Refusal)
  })
})

test('a search is folded, and its signs are letters', () => {
  expect(folded('Inês ÇA')).toBe('ines ca')
  expect(patternsOf('  Inês 100%_\\ ')).toEqual(['%ines%', '%100\\%\\_\\\\%'])
  expect(patternsOf(' ')).toEqual([])
})
