import { CompiledQuery } from 'kysely'
import { PgBoss } from 'pg-boss'
import { expect, test, vi } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { type JobName, type Jobs, openQueue, recovery } from './queue.ts'

const { db, services } = await makeTestApp()
const errors = vi.spyOn(services.log, 'error')
const unreadable = { sealed: 'not sealed by us', id: crypto.randomUUID() }

/** Sends a job that has been tried so often before. @returns its id */
async function sendTired<N extends JobName>(name: N, data: Jobs[N], tries: string): Promise<string> {
  return services.asSystem('test', async tx => {
    await services.enqueue(tx, name, data)
    const { rows } = await tx.executeQuery<{ id: string }>(
      CompiledQuery.raw(
        `update pgboss.job set retry_count = ${tries} where name = $1 and state = 'created' returning id`,
        [name],
      ),
    )
    return rows[0]?.id ?? ''
  })
}
const jobOf = async (id: string) =>
  (
    await db.asOwnerOfJobs(
      'select state::text, extract(epoch from start_after - now())::float8 as wait from pgboss.job where id = $1',
      [id],
    )
  ).rows[0] as { state: string; wait: number } | undefined // as: the columns above

test('a mail that failed many times is tried again within a minute, for a day [F-07]', async () => {
  const id = await sendTired('mail.send', unreadable, '12')
  await expect.poll(async () => (await jobOf(id))?.state, { timeout: 20_000 }).toBe('retry')
  expect((await jobOf(id))?.wait).toBeLessThanOrEqual(45)
  const { rows } = await db.asOwnerOfJobs(
    "select name, retry_limit * retry_delay_max >= 86400 as for_a_day from pgboss.queue where name in ('mail.send', 'billing.webhook', 'billing.settle') order by name",
  )
  expect(rows).toEqual([
    { name: 'billing.settle', for_a_day: true },
    { name: 'billing.webhook', for_a_day: true },
    { name: 'mail.send', for_a_day: true },
  ])
})

test('the last try that fails is an error in the log', async () => {
  const id = await sendTired('mail.send', unreadable, 'retry_limit')
  await expect.poll(async () => (await jobOf(id))?.state, { timeout: 20_000 }).toBe('failed')
  expect(errors).toHaveBeenCalledWith(
    expect.objectContaining({ id, job: 'mail.send' }),
    'job failed for the last time',
  )
})

test('a mail whose link ran out before it could leave is an error in the log', async () => {
  const data = { ...unreadable, expires_at: new Date(0).toISOString() }
  const id = await sendTired('mail.send', data, '0')
  await expect.poll(async () => (await jobOf(id))?.state, { timeout: 20_000 }).toBe('completed')
  expect(errors).toHaveBeenCalledWith({ id: data.id }, expect.stringContaining('never left'))
})

test('a job whose process died goes on; one whose process lives is left alone [F-01]', async () => {
  /** A job as a process left it: begun, with its last heartbeat at that time. No worker sees it before. */
  const begun = (heartbeat: string) =>
    services.asSystem('test', async tx => {
      await services.enqueue(tx, 'mail.send', unreadable)
      const text = `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = ${heartbeat}
        where name = 'mail.send' and state = 'created' returning id`
      const { rows } = await tx.executeQuery<{ id: string }>(CompiledQuery.raw(text))
      return rows[0]?.id ?? ''
    })
  const alive = await begun("now() + interval '1 hour'")
  const dead = await begun(`now() - interval '${recovery.heartbeatSeconds + 1} seconds'`)
  const supervisor = openQueue(db, services.log, { workers: true, byTheClock: false, passSeconds: 1 })
  await supervisor.start()
  await expect.poll(async () => (await jobOf(dead))?.state, { timeout: 20_000 }).toBe('retry')
  await supervisor.stop()
  expect((await jobOf(alive))?.state).toBe('active')
})

test('heartbeat, two passes of the queue and the longest wait together stay under two minutes [F-01]', async () => {
  const { rows } = await db.asOwnerOfJobs(
    'select name, heartbeat_seconds, retry_delay_max from pgboss.queue order by name',
  )
  const queues = rows as { name: string; heartbeat_seconds: number; retry_delay_max: number }[] // as: the columns above
  expect(queues.length).toBeGreaterThan(10)
  for (const { name, heartbeat_seconds, retry_delay_max } of queues)
    expect(heartbeat_seconds + 2 * recovery.passSeconds + retry_delay_max, name).toBeLessThan(120)
})

test('a job begins when its transaction is committed, without waiting for the next look', async () => {
  const looks = vi.spyOn(PgBoss.prototype, 'notifyWorker')
  await services.asSystem('test', async tx => {
    await services.enqueue(tx, 'mail.send', unreadable)
    expect(looks).not.toHaveBeenCalled()
  })
  expect(looks).toHaveBeenCalledOnce()
  await services.asSystem('test', tx => services.enqueue(tx, 'mail.send', unreadable, { afterSeconds: 60 }))
  await services
    .asSystem('test', async tx => {
      await services.enqueue(tx, 'mail.send', unreadable)
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(looks).toHaveBeenCalledOnce()
})
