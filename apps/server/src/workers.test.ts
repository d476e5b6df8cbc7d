import { expect, test } from 'vitest'
import { makeTestApp } from '../test/harness.ts'
import { openQueue } from './jobs/queue.ts'
import { startWorkers } from './workers.ts'

const { db, services } = await makeTestApp()
const nobody = { send: async () => {}, close: () => {} }
const byTheClock = async () =>
  (await db.asOwnerOfJobs('select name, cron from pgboss.schedule order by name')).rows

/** Starts the workers of another process, without any work to do, and ends them. */
async function begin(options: { workers: boolean }) {
  const queue = openQueue(db, services.log, options)
  await queue.start()
  await startWorkers(queue, services, nobody)
  await queue.stop()
}

test('what runs by the clock: in a process with workers, and in no test', async () => {
  expect(await byTheClock()).toEqual([])
  await begin({ workers: false })
  expect(await byTheClock()).toEqual([])
  await begin({ workers: true })
  expect(await byTheClock()).toEqual([
    { name: 'billing.reconcile', cron: '41 3 * * *' },
    { name: 'billing.sync_seats_and_usage', cron: '* * * * *' },
    { name: 'secrets.reseal', cron: '47 * * * *' },
    { name: 'upkeep.sweep', cron: '17 * * * *' },
  ])
})
