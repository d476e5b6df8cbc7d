import { expect, it } from 'vitest'
import { ownDatabase } from '../../test/harness.ts'
import { openDb } from './open.ts'

it('a database that only the queue has asked is closed with its connections', async () => {
  const { url, template, drop } = await ownDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template })
  await db.asOwnerOfJobs('select 1')
  expect(db.pool.totalCount).toBe(1)
  await db.close()
  expect(db.pool).toMatchObject({ ended: true, totalCount: 0 })
  await drop()
})
