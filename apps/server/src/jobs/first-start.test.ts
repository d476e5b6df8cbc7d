import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, testConfig } from '../../test/harness.ts'
import { type Db, openDb } from '../db/pool.ts'
import { makeLog } from '../log.ts'
import { makeServices } from '../services.ts'
import { type JobName, openQueue } from './queue.ts'

// One connection, as the embedded database has it.
const { url, template, drop } = await createTestDatabase()
const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template: template?.() })
const log = makeLog('silent')
afterAll(async () => {
  await db.close()
  await drop()
})
const jobs = async () => (await db.asOwnerOfJobs('select id from pgboss.job')).rows.length

/** A server's start up to where it takes calls; its workers are not there yet. */
async function started(of: Db = db) {
  const queue = openQueue(of, log, { workers: false })
  const services = makeServices({ config: await testConfig(), db, queue, log })
  await queue.start()
  return { queue, services }
}

async function expectSent({ services }: Pick<Awaited<ReturnType<typeof started>>, 'services'>) {
  const names = (await db.asOwnerOfJobs('select name from pgboss.queue')).rows.map(
    row => (row as { name: JobName }).name, // as: the column above
  )
  expect(names.length).toBeGreaterThan(10)
  const sent = await jobs()
  for (const name of names)
    await services.asSystem('test', tx =>
      services.enqueue(tx, name, {} as never, { key: crypto.randomUUID() }),
    ) // as: no worker reads the payload
  expect(await jobs()).toBe(sent + names.length)
}
const noQueues = 'select pgboss.delete_queue(name) from pgboss.queue'

test.for([
  ['on the very first start', noQueues],
  [
    'on the start after a release that changed how often they are tried',
    'update pgboss.queue set retry_limit = 1',
  ],
])('a call can send each kind of job before the workers are there, %s [F-20]', async ([, before = '']) => {
  // PostgreSQL's database comes empty, the embedded one with the queues of an earlier start.
  const first = await started()
  await first.queue.stop()
  await db.asOwnerOfJobs(before)
  const now = await started()
  await expectSent(now)
  await now.queue.stop()
})

test('and so it can when another server makes the queues between two looks at them [F-15]', async () => {
  const first = await started()
  await first.queue.stop()
  await db.asOwnerOfJobs(noQueues)
  let looks = 0
  const late: Db = {
    ...db,
    async asOwnerOfJobs(text, values) {
      const seen = await db.asOwnerOfJobs(text, values)
      if (!/select\s.*\sfrom pgboss\.queue\s/is.test(text) || ++looks > 1) return seen
      expect(seen.rows).toEqual([])
      await (await started()).queue.stop()
      return seen
    },
  }
  const now = await started(late)
  expect(looks).toBeGreaterThan(1)
  await expectSent(now)
  await now.queue.stop()
})

test('what would take a second connection inside a transaction is refused instead of waited for', async () => {
  const { queue, services } = await started()
  await expect(services.asSystem('test', () => db.asOwnerOfJobs('select 1'))).rejects.toThrow(
    'inside a transaction',
  )
  await queue.stop()
})
