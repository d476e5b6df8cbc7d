import type { World } from '../../context.ts'
import { PaymentsError } from '../../outside/payments.ts'
import * as store from './meter-store.ts'

/** Rows that are marked together; what is lost with a process is told again, and counts once. */
const batch = 100
/** Calls at a time: the provider takes a hundred a second of everybody. */
const atOnce = 5
/** One run ends within the time that its job has; the next goes on. */
const runMs = 45_000

/** The provider takes times up to 35 days back and five minutes ahead; clocks differ, and a report may have waited. */
const backMs = 35 * 86_400_000 - 3_600_000

type Counted = Pick<store.Unsent, 'id' | 'meter' | 'quantity'> & { at: Date; customer: string }

const inWindow = (at: Date, now: Date) =>
  new Date(Math.min(Math.max(at.getTime(), now.getTime() - backMs), now.getTime()))

/**
 * The job, every minute. Tells the provider what was used at metered prices, each report under the id of its row.
 * @returns how many reports it was told of
 */
export async function carryUsage(world: World): Promise<number> {
  const until = performance.now() + runMs
  const refused: string[] = []
  let told = 0
  while (performance.now() < until) {
    const rows = await world.asSystem('usage that was not handed on', tx =>
      store.findUnsent(tx, { without: refused, limit: batch }),
    )
    const { sent, down } = await tell(world, rows, refused)
    await world.asSystem('usage was handed on', tx => store.markSent(tx, sent, world.now()))
    told += sent.length
    if (down || rows.length < batch) break
  }
  return told
}

/** The same for one account, now: what was used at a metered price must be known before that price goes. */
export async function carryUsageOf(world: World, account: { account_id: string; customer: string }) {
  const why = 'usage before its price goes'
  const rows = await world.asSystem(why, tx => store.findUnsentOf(tx, account.account_id))
  const { sent } = await tell(
    world,
    rows.map(row => ({ ...row, ...account })),
    [],
  )
  await world.asSystem(why, tx => store.markSent(tx, sent, world.now()))
}

type Row = Awaited<ReturnType<typeof store.findUnsent>>[number]

/** @param refused accounts of which the provider takes nothing; those that turn out to be are added */
async function tell(world: World, rows: Row[], refused: string[]) {
  const sent: string[] = []
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    const answers = await Promise.all(some.map(row => tellOne(world, row)))
    for (const [at, answer] of answers.entries()) {
      const row = some[at]
      if (answer === 'sent' && row) sent.push(row.id)
      if (answer === 'refused' && row && !refused.includes(row.account_id)) refused.push(row.account_id)
    }
    if (answers.includes('down')) return { sent, down: true }
  }
  return { sent, down: false }
}

async function tellOne(world: World, row: Row): Promise<'sent' | 'refused' | 'down'> {
  try {
    await reportUsage(world, { ...row, at: row.occurred_at })
    return 'sent'
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const about = { err: error, account: row.account_id, usage: row.id }
    if (error.kind === 'down') world.log.warn(about, 'payment provider down')
    else world.log.error(about, 'the payment provider does not take this usage')
    return error.kind === 'down' ? 'down' : 'refused'
  }
}

/** One report. Throws what the provider throws. */
export const reportUsage = (world: World, { id, meter, quantity, customer, at }: Counted) =>
  world.outside.payments.reportUsage({ id, meter, quantity, customer, at: inWindow(at, world.now()) })
