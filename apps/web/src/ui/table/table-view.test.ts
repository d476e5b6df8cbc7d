import { expect, test } from 'vitest'
import { arrange, type Column, formatIso, isIsoDate, nextSort } from './table-view.ts'

interface Person {
  id: string
  name: string
  logins: number | null
}
const columns: Column<Person>[] = [
  { key: 'name', label: 'Name' },
  { key: 'logins', label: 'Logins' },
]
const rows: Person[] = [
  { id: '1', name: 'Tomás 10', logins: 9 },
  { id: '2', name: 'inês', logins: null },
  { id: '3', name: 'Tomás 9', logins: 100 },
]
const order = (search: string, key?: string, down = false) =>
  arrange(rows, columns, { search, sort: key ? { key, down } : null }).map(row => row.id)

test('a search finds every word in any field, ignoring case and accents', () => {
  expect(order('INES')).toEqual(['2'])
  expect(order('tomas 100')).toEqual(['3'])
  expect(order('nobody')).toEqual([])
})

test('sorts text naturally, numbers by size and missing values last', () => {
  expect(order('', 'name')).toEqual(['2', '3', '1'])
  expect(order('', 'logins')).toEqual(['1', '3', '2'])
  expect(order('', 'logins', true)).toEqual(['3', '1', '2'])
})

test('does not change the given rows', () => {
  order('', 'name')
  expect(rows.map(row => row.id)).toEqual(['1', '2', '3'])
})

test('a column sorts up, then down, then up again; another column starts up', () => {
  const up = nextSort(null, 'name')
  const down = nextSort(up, 'name')
  expect([up.down, down.down, nextSort(down, 'name').down, nextSort(down, 'logins').down]).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('ISO dates show date and time without milliseconds [const:table.dates]', () => {
  expect(isIsoDate('2026-11-20T17:02:11.120Z')).toBe(true)
  expect(isIsoDate('2026')).toBe(false)
  const shown = formatIso('2026-11-20T17:02:11.120', 'en-GB')
  expect(shown).toMatch(/20 Nov 2026.*17:02/)
  expect(shown).not.toMatch(/11|120/)
})
