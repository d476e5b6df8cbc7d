import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness.ts'
import { invariant } from '../lib/invariant.ts'
import { migrate } from './migrate.ts'
import { rolesOf } from './roles.ts'

const { url: own, drop } = await createTestDatabase()
const url = invariant(own, 'a database of its own')
const roles = rolesOf(new URL(url).pathname.slice(1))
const clients = Array.from({ length: 3 }, () => new pg.Client(url))
afterAll(async () => {
  await Promise.all(clients.map(client => client.end()))
  await drop()
})

test('three servers that start at once on a new database apply each migration once', async () => {
  await Promise.all(clients.map(client => client.connect()))
  const applied = await Promise.all(clients.map(client => migrate(client, roles)))
  const { rows } = await invariant(clients[0], 'one').query('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(applied.flat().sort())
  expect(rows).toContainEqual({ name: '0001_initial.sql' })
  const locks = `select count(*)::int as held from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`
  expect((await invariant(clients[0], 'one').query(locks)).rows, 'no session keeps a lock').toEqual([
    { held: 0 },
  ])
})
