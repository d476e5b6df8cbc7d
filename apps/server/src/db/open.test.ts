import { expect, inject, it } from 'vitest'
import { ownDatabase } from '../../test/harness.ts'
import { openDb } from './open.ts'

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

// The embedded database can't compile statements.
it.runIf(inject('databaseUrl'))('no statement is compiled before it runs', async () => {
  const { url, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, migrate: true })
  expect((await db.pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  await db.close()
  await drop()
})
