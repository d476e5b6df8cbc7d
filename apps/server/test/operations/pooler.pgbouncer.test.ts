import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/db/pool.ts'
import { transaction } from '../../src/db/transaction.ts'
import { invariant } from '../../src/lib/invariant.ts'
import { callServer, payments, signUpVerified, waitForMailedLink } from '../harness/http-client.ts'
import { createDataFolder, startServer } from '../harness/server-process.ts'
import { createTestDatabase, freshEmail } from '../harness.ts'

/** The address of a database through the pooler, which works in transaction mode. */
function pooled(url: string): string {
  const address = new URL(invariant(process.env.TEST_PGBOUNCER_URL, 'TEST_PGBOUNCER_URL'))
  address.pathname = new URL(url).pathname
  return address.href
}

async function pooledDatabase() {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const direct = invariant(url, 'a database of its own')
  return { direct, url: pooled(direct) }
}

test('two processes that start at once serve sign-up, plan, key and invite through a pooler', async () => {
  const { url } = await pooledDatabase()
  const env = { DATABASE_URL: url, DATA_DIR: await createDataFolder() }
  const [web, worker] = await Promise.all([startServer(env), startServer(env)])
  onTestFinished(async () => {
    await Promise.all([web.stop(), worker.stop()])
  })
  const owner = await signUpVerified(web.url, 'pooled')
  const token = await payments.card()
  const call = (server: typeof web, method: string, path: string, body?: unknown) =>
    callServer(`${server.url}/api${path}`, method, body, owner.token)
  expect(await call(worker, 'POST', '/account/plan', { plan: 'startup', token })).toMatchObject({
    status: 200,
  })
  expect(await call(web, 'GET', '/account/subscription')).toMatchObject({
    status: 200,
    data: { plan: 'startup' },
  })
  const key = { name: 'Warehouse sync', scope: ['event.create'] }
  const { data } = await call(web, 'POST', '/key', key)
  expect(
    await callServer(`${worker.url}/api/event`, 'POST', { name: 'parcel_sent' }, data.full_key),
  ).toMatchObject({
    status: 200,
  })
  const email = freshEmail('guest')
  expect(await call(worker, 'POST', '/invite', { email })).toMatchObject({ status: 200 })
  expect(await waitForMailedLink(email)).toContain('/signup/user')
  // Reads of all kinds on few connections of the server: none may run as another client's role.
  const asked = Array.from({ length: 40 }, (_, n) =>
    call(n % 2 ? web : worker, 'GET', n % 3 ? '/user' : '/key').then(({ status }) => status),
  )
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
})

test('through a pooler no role, setting or lock stays on a connection of the server', async () => {
  const { direct, url } = await pooledDatabase()
  const [first, second] = [0, 1].map(() => openDb({ databaseUrl: url, dataDir: null, poolSize: 3 }))
  const dbs = [await invariant(first, 'one'), await invariant(second, 'another')]
  for (const db of dbs) onTestFinished(() => db.close())
  const account = '00000000-0000-7000-8000-000000000000'
  const seen = 'select current_user as name, current_setting($1, true) as jit'
  const work = dbs.flatMap(db =>
    Array.from({ length: 10 }, async () => {
      const own = await transaction(db, { account }, tx => tx.selectFrom('accounts').select('id').execute())
      expect(own).toEqual([])
      await transaction(db, 'system', tx => tx.selectFrom('accounts').select('id').execute())
      expect((await db.query(seen, ['jit'])).rows).toEqual([{ name: db.roles.app, jit: 'off' }])
      expect((await db.asOwnerOfJobs('select current_user as name')).rows).toEqual([
        { name: db.roles.system },
      ])
      await expect(db.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
      expect(await db.kysely.selectFrom('accounts').select('id').execute()).toEqual([])
    }),
  )
  await Promise.all(work)
  const pooler = new pg.Client(url)
  const server = new pg.Client(direct)
  await Promise.all([pooler.connect(), server.connect()])
  onTestFinished(async () => {
    await Promise.all([pooler.end(), server.end()])
  })
  const { rows } = await pooler.query(
    "select current_user = session_user as plain, current_setting('jit') as jit",
  )
  expect(rows).toEqual([{ plain: true, jit: 'on' }])
  const locks = "select count(*)::int as held from pg_locks where locktype = 'advisory'"
  expect((await server.query(locks)).rows).toEqual([{ held: 0 }])
})
