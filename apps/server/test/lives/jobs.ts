import type { JobName } from '../../src/jobs/queue.ts'
import type { Process } from './processes.ts'

type Row = { id: string; name: JobName; data: never; wait: number }
type Killer = { process: Process; dies?: number }

/** How soon a job that failed, or whose process died, is tried again; milliseconds. */
const soon = 5_000
const tries = 12

/**
 * The queue's own rows, worked on by the clock of the life: pg-boss goes by the database's clock, which knows of no
 * months that pass.
 * @param now milliseconds
 */
export function workOf([first]: readonly [Process, Process], now: () => number) {
  const names = [...first.handlers.keys()].filter(name => name.startsWith('billing.'))
  /** When a job is due, by the clock of the life, and how often it failed. */
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

  /** Looks at what has been sent since; a wait begins when it is sent. */
  async function seen(): Promise<Row[]> {
    const rows = await waiting()
    for (const { id, wait } of rows)
      if (!due.has(id)) due.set(id, { at: now() + Math.max(0, wait) * 1000, failed: 0 })
    return rows
  }

  async function one(row: Row, { process, dies }: Killer, problems: string[]) {
    const handle = process.handlers.get(row.name)
    const plan = due.get(row.id) ?? { at: 0, failed: 0 }
    await state(row.id, 'active')
    try {
      const end = await process.doing(() => handle?.(row.data) ?? Promise.resolve(), dies)
      await state(row.id, end === 'killed' ? 'retry' : 'completed')
      // A worker that is gone is missed when its time is over.
      if (end === 'killed') due.set(row.id, { ...plan, at: now() + 120_000 })
    } catch (error) {
      plan.failed += 1
      if (plan.failed >= tries) problems.push(`job ${row.name} failed ${tries} times: ${String(error)}`)
      await state(row.id, plan.failed >= tries ? 'failed' : 'retry')
      due.set(row.id, { ...plan, at: now() + soon })
    }
  }

  return {
    seen,
    forget: () => due.clear(),
    /**
     * Does what is due, and what comes of it.
     * @returns what failed for good
     */
    async drain(killer: Killer): Promise<string[]> {
      const problems: string[] = []
      let { dies } = killer
      for (let round = 0; round < 40; round++) {
        const ready = (await seen()).filter(({ id }) => (due.get(id)?.at ?? 0) <= now())
        if (ready.length === 0) return problems
        for (const row of ready) {
          await one(row, { process: killer.process, dies }, problems)
          dies = undefined
        }
      }
      problems.push('jobs send jobs without end')
      return problems
    },
    /** The next moment at which something is due, or null. */
    async next(): Promise<number | null> {
      const times = (await seen()).map(({ id }) => due.get(id)?.at ?? 0)
      return times.length ? Math.min(...times) : null
    },
    /**
     * What the clock starts, every hour or every night.
     * @returns what failed; it is started again the next time
     */
    async byTheClock({ process, dies }: Killer): Promise<string[]> {
      const problems: string[] = []
      for (const name of process.scheduled) {
        const handle = process.handlers.get(name)
        const run = () => handle?.(null as never) ?? Promise.resolve() // as: a scheduled job carries nothing
        await process.doing(run, dies).catch(error => problems.push(`job ${name} failed: ${String(error)}`))
      }
      return problems
    },
  }
}
