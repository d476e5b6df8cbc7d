import { afterAll, expect, test } from 'vitest'
import { ownDatabase, testConfig } from '../../test/harness.ts'
import { openDb } from '../db/open.ts'
import { makeLog } from '../log.ts'
import { makeWorld } from '../world.ts'
import { type JobName, openQueue } from './queue.ts'

// One connection, as the embedded database has it.
const { url, template, drop } = await ownDatabase()
const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template })
const log = makeLog('silent')
afterAll(async () => {
  await db.close()
  await drop()
})
const jobs = async () => (await db.asOwnerOfJobs('select id from pgboss.job')).rows.length

/** A server's start up to where it takes calls; its workers are not there yet. */
async function started() {
  const queue = openQueue(db, log, { workers: false })
  const world = makeWorld({ config: await testConfig(), db, queue, log })
  await queue.start()
  return { queue, world }
}

test.for([
  ['on the very first start', 'select pgboss.delete_queue(name) from pgboss.queue'],
  [
    'on the start after a release that changed how often they are tried',
    'update pgboss.queue set retry_limit = 1',
  ],
])('a call can send each kind of job before the workers are there, %s [F-20]', async ([, before = '']) => {
  // PostgreSQL's database comes empty, the embedded one with the queues of an earlier start.
  const first = await started()
  await first.queue.stop()
  await db.asOwnerOfJobs(before)
  const { queue, world } = await started()
  const names = (await db.asOwnerOfJobs('select name from pgboss.queue')).rows.map(
    row => (row as { name: JobName }).name, // as: the column above
  )
  expect(names.length).toBeGreaterThan(10)
  const sent = await jobs()
  for (const name of names)
    await world.asSystem('test', tx => world.enqueue(tx, name, {} as never, { key: crypto.randomUUID() })) // as: nobody reads it
  expect(await jobs()).toBe(sent + names.length)
  await queue.stop()
})

test('what would take a second connection inside a transaction is refused instead of waited for', async () => {
  const { queue, world } = await started()
  await expect(world.asSystem('test', () => db.asOwnerOfJobs('select 1'))).rejects.toThrow(
    'inside a transaction',
  )
  await queue.stop()
})
