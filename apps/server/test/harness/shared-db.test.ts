import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { acquireSharedDb } from './shared-db.ts'

const file = inject('template')
const tested = test.runIf(file)

/** The database as a test file gets it, and connections as the one who owns it. */
async function lent(to?: string) {
  const engine =
    (await acquireSharedDb(() => readFileSync(file ?? ''), to)) ?? expect.fail('it is lent already')
  const connect = async () => {
    const client = new pg.Client(engine.connection)
    // `pg` emits an error when the connection is cut.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  let isBack = false
  const back = async () => {
    if (!isBack) await engine.close()
    isBack = true
  }
  onTestFinished(back)
  return { client: await connect(), connect, back }
}

const fill = (client: pg.Client) =>
  client.query("insert into accounts (id, name) values (gen_random_uuid(), 'Left behind')")
const count = async (client: pg.Client, table: string) =>
  Number((await client.query(`select count(*) as rows from ${table}`)).rows[0].rows)

tested('the next file finds no row of the one before, and neither its role nor its transaction', async () => {
  const first = await lent()
  await fill(first.client)
  await first.client.query('begin; set role plinth_app')
  await first.back()
  const { client } = await lent()
  expect((await client.query('select current_user as me')).rows).toEqual([{ me: 'postgres' }])
  expect(await count(client, 'accounts')).toBe(0)
  expect(await count(client, 'sql_functions')).toBeGreaterThan(10)
})

tested.for([
  ['a table', 'create table left_behind ()'],
  ['a column', 'alter table accounts add left_behind int'],
  ['a trigger', 'alter table users disable trigger delete_devices'],
  ['a right', 'grant delete on audit_log to plinth_app'],
  ['a setting', "alter role plinth_app set statement_timeout = '1s'"],
  ['statistics', 'analyze accounts'],
])('after a file that changed %s the next one gets another database', async ([, change = '']) => {
  const first = await lent()
  await fill(first.client)
  await first.client.query(change)
  await first.back()
  const { client } = await lent()
  expect(await count(client, 'accounts')).toBe(0)
  expect(await count(client, "pg_attribute where attname = 'left_behind'")).toBe(0)
  expect(await count(client, "pg_class where relname = 'left_behind'")).toBe(0)
  expect(await count(client, "pg_trigger where tgenabled <> 'O'")).toBe(0)
  expect(await count(client, "pg_statistic where starelid = 'accounts'::regclass")).toBe(0)
  expect(await count(client, 'pg_db_role_setting')).toBe(0)
  const mayDelete = "select has_table_privilege('plinth_app', 'audit_log', 'delete') as it"
  expect((await client.query(mayDelete)).rows).toEqual([{ it: false }])
})

tested('who still has a connection when its file is over has none any more', async () => {
  const first = await lent()
  await first.back()
  await lent()
  await expect(first.client.query('select 1')).rejects.toThrow()
  await expect(first.connect()).rejects.toThrow('no longer lent')
})

tested('a file that has kept it is named to the next one', async () => {
  await lent()
  await expect(lent('the-next.test.ts')).rejects.toThrow(/shared-db\.test\.ts is over and has not given/)
  await lent('the-one-after.test.ts')
})

tested(
  'while one connection is in a transaction the others wait, and one that hangs up leaves none behind',
  async () => {
    const { client, connect } = await lent()
    const other = await connect()
    await client.query('begin')
    await fill(client)
    const counted = count(other, 'accounts')
    await fill(client)
    await client.query('commit')
    expect(await counted).toBe(2)
    await client.query('begin')
    await fill(client)
    await client.end()
    expect(await count(other, 'accounts')).toBe(2)
  },
)
