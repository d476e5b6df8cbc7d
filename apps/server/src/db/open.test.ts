import { expect, inject, it } from 'vitest'
import { ownDatabase } from '../../test/harness.ts'
import { newId } from '../lib/ids.ts'
import { namesOfTexts } from '../lib/prepared.ts'
import { openDb, transaction } from './open.ts'

it('a database that only the queue has asked is closed with its connections', async () => {
  const { url, template, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template: template?.() })
  await db.asOwnerOfJobs('select 1')
  expect(db.pool.totalCount).toBe(1)
  await db.close()
  expect(db.pool).toMatchObject({ ended: true, totalCount: 0 })
  await drop()
})

it('a statement of the queue that fails leaves the connection as it was', async () => {
  const { url, template, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template: template?.() })
  const role = async () => (await db.pool.query('select current_user as name')).rows
  expect((await db.asOwnerOfJobs('select current_user as name')).rows).toEqual([{ name: 'plinth_system' }])
  for (const text of ['select 1 / 0', 'begin; select 1 / 0; commit', 'not a statement']) {
    await expect(db.asOwnerOfJobs(text)).rejects.toThrow()
    expect(await role()).toEqual([{ name: 'plinth_app' }])
  }
  expect(db.pool.totalCount).toBe(1)
  await db.close()
  await drop()
})

// On a server each connection would keep hundreds of plans.
it.runIf(!inject('databaseUrl'))(
  'a statement is read and planned once, also after one that failed',
  async () => {
    const { template, drop } = await ownDatabase()
    const db = await openDb({ databaseUrl: null, dataDir: null, poolSize: 1, template: template?.() })
    const ask = (id: string) =>
      transaction(db, 'system', tx => tx.selectFrom('users').select('locale').where('id', '=', id).execute())
    for (const id of [newId(), 'no id', newId()])
      await ask(id).catch(error => expect(error.code).toBe('22P02'))
    const { rows } = await db.pool.query(
      `select name, generic_plans + custom_plans as plans from pg_prepared_statements where statement like '%"locale"%'`,
    )
    expect(rows).toEqual([{ name: expect.stringMatching(/^text\/\d+$/), plans: 2 }])
    await db.close()
    await drop()
  },
)

it('statements have names up to a limit, and the same text has the same one', () => {
  const nameOf = namesOfTexts(2)
  expect(['a', 'b', 'a', 'c', 'b'].map(nameOf)).toEqual(['text/1', 'text/2', 'text/1', undefined, 'text/2'])
})

// The embedded database can't compile statements.
it.runIf(inject('databaseUrl'))('no statement is compiled before it runs', async () => {
  const { url, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, migrate: true })
  expect((await db.pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  await db.close()
  await drop()
})
