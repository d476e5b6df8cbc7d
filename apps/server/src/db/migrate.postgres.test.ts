import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { ownDatabase } from '../../test/harness.ts'
import { must } from '../lib/must.ts'
import { migrate } from './migrate.ts'

const { url, drop } = await ownDatabase()
const clients = Array.from({ length: 3 }, () => new pg.Client(must(url, 'a database of its own')))
afterAll(async () => {
  await Promise.all(clients.map(client => client.end()))
  await drop()
})

test('three servers that start at once on a new database: one brings it up to date, the others find it so', async () => {
  await Promise.all(clients.map(client => client.connect()))
  const applied = await Promise.all(clients.map(migrate))
  const [all, ...none] = applied.toSorted((a, b) => b.length - a.length)
  expect(none).toEqual([[], []])
  const { rows } = await must(clients[0], 'one').query('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(all)
  expect(rows.length).toBeGreaterThan(30)
})
