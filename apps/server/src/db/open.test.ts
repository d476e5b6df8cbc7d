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

// The embedded database can't compile statements.
it.runIf(inject('databaseUrl'))('no statement is compiled before it runs', async () => {
  const { url, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, migrate: true })
  expect((await db.pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  await db.close()
  await drop()
})
