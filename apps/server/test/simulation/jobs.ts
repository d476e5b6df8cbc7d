import type { JobName } from '../../src/jobs/queue.ts'
import type { Process } from './processes.ts'

type Row = { id: string; name: JobName; data: never; wait: number }
type Killer = { process: Process; dies?: number }

/** Pause before the retry of a failed job, in milliseconds. */
const soon = 5_000
const tries = 12

/**
 * Runs the rows of the queue by the simulated clock; pg-boss uses the database's clock.
 * @param now milliseconds
 */
export function jobsOf([first]: readonly [Process, Process], now: () => number) {
  const names = [...first.handlers.keys()].filter(name => name.startsWith('billing.'))
  /** Due time by the simulated clock, and number of failures. */
  const due = new Map<string, { at: number; failed: number }>()
  const state = (id: string, value: string) =>
    first.db.asOwnerOfJobs('update pgboss.job set state = $2::pgboss.job_state where id = $1', [id, value])

  async function waiting(): Promise<Row[]> {
    const { rows } = await first.db.asOwnerOfJobs(
      `select id, name, data, extract(epoch from start_after - created_on)::float8 as wait
       from pgboss.job where name = any($1) and state in ('created', 'retry') order by created_on, id`,
      [names],
    )
    return rows as Row[] // as: the columns above
  }

  /** Reads new jobs; their delay starts now. */
  async function refresh(): Promise<Row[]> {
    const rows = await waiting()
    for (const { id, wait } of rows)
      if (!due.has(id)) due.set(id, { at: now() + Math.max(0, wait) * 1000, failed: 0 })
    return rows
  }

  async function runJob(row: Row, { process, dies }: Killer, problems: string[]) {
    const handle = process.handlers.get(row.name)
    const plan = due.get(row.id) ?? { at: 0, failed: 0 }
    await state(row.id, 'active')
    try {
      const end = await process.runKillable(() => handle?.(row.data) ?? Promise.resolve(), dies)
      await state(row.id, end === 'killed' ? 'retry' : 'completed')
      // The queue notices a dead worker when its job times out.
      if (end === 'killed') due.set(row.id, { ...plan, at: now() + 120_000 })
    } catch (error) {
      plan.failed += 1
      if (plan.failed >= tries) problems.push(`job ${row.name} failed ${tries} times: ${String(error)}`)
      await state(row.id, plan.failed >= tries ? 'failed' : 'retry')
      due.set(row.id, { ...plan, at: now() + soon })
    }
  }

  return {
    refresh,
    forget: () => due.clear(),
    /**
     * Runs due jobs, including those that they enqueue.
     * @returns failures after the last retry
     */
    async runDue(killer: Killer): Promise<string[]> {
      const problems: string[] = []
      let { dies } = killer
      for (let round = 0; round < 40; round++) {
        const ready = (await refresh()).filter(({ id }) => (due.get(id)?.at ?? 0) <= now())
        if (ready.length === 0) return problems
        for (const row of ready) {
          await runJob(row, { process: killer.process, dies }, problems)
          dies = undefined
        }
      }
      problems.push('jobs send jobs without end')
      return problems
    },
    /** The next due time, or null. */
    async next(): Promise<number | null> {
      const times = (await refresh()).map(({ id }) => due.get(id)?.at ?? 0)
      return times.length ? Math.min(...times) : null
    },
    /**
     * Runs the scheduled jobs.
     * @returns failures; the next run retries them
     */
    async runScheduled({ process, dies }: Killer): Promise<string[]> {
      const problems: string[] = []
      for (const name of process.scheduled) {
        const handle = process.handlers.get(name)
        const run = () => handle?.(null as never) ?? Promise.resolve() // as: a scheduled job carries nothing
        await process
          .runKillable(run, dies)
          .catch(error => problems.push(`job ${name} failed: ${String(error)}`))
      }
      return problems
    },
  }
}
