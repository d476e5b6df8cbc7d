import type { Services } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import * as store from './meter-store.ts'

/** Rows that are marked together; what is lost with a process is told again, and counts once. */
const batch = 100
/** Calls at a time: the provider takes a hundred a second of everybody. */
const atOnce = 5
/** One run ends within the time that its job has; the next goes on. */
const runMs = 45_000

/** A report that the provider does not take is told again after so long: somebody may have put right what it said no to. */
const asideMs = 86_400_000

/** The provider takes times up to 35 days back and five minutes ahead; clocks differ, and a report may have waited. */
const backMs = 35 * 86_400_000 - 3_600_000

type Counted = Pick<store.UnreportedUsage, 'id' | 'meter' | 'quantity'> & { at: Date; customer: string }

const inWindow = (at: Date, now: Date) =>
  new Date(Math.min(Math.max(at.getTime(), now.getTime() - backMs), now.getTime()))

/**
 * The job, every minute. Tells the provider what was used at metered prices, each report under the id of its row. A
 * report that it does not take is set aside, and those behind it go on.
 * @returns how many reports it was told of
 */
export async function reportPendingUsage(services: Services): Promise<number> {
  const until = performance.now() + runMs
  const gone: string[] = []
  let told = 0
  while (performance.now() < until) {
    const refusedBefore = new Date(services.now().getTime() - asideMs)
    const rows = await services.asSystem('usage that was not handed on', tx =>
      store.findUnreportedUsage(tx, { without: gone, refusedBefore, limit: batch }),
    )
    const came = await reportBatch(services, rows)
    gone.push(...came.gone)
    told += came.sent.length
    if (came.down || rows.length < batch) break
  }
  return told
}

/** The same for one account, now: what was used at a metered price must be known before that price goes. */
export async function reportUsageOfAccount(
  services: Services,
  account: { account_id: string; customer: string },
) {
  const why = 'usage before its price goes'
  const rows = await services.asSystem(why, tx => store.findUnreportedUsageOf(tx, account.account_id))
  await reportBatch(
    services,
    rows.map(row => ({ ...row, ...account })),
  )
}

type Row = Awaited<ReturnType<typeof store.findUnreportedUsage>>[number]

type Answer = 'sent' | 'refused' | 'gone' | 'down'
type Came = { sent: string[]; gone: string[]; down: boolean }

/** Tells of some reports and writes down what came of each. @returns `gone`: accounts whose customer there is no more */
async function reportBatch(services: Services, rows: Row[]): Promise<Came> {
  const answers: { row: Row; answer: Answer }[] = []
  const having = (wanted: Answer) => answers.filter(({ answer }) => answer === wanted).map(({ row }) => row)
  for (let from = 0; from < rows.length && having('down').length === 0; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    answers.push(
      ...(await Promise.all(some.map(async row => ({ row, answer: await tryReport(services, row) })))),
    )
  }
  const idsOf = (wanted: Answer) => having(wanted).map(({ id }) => id)
  const sent = idsOf('sent')
  await services.asSystem('usage was handed on', async tx => {
    await store.markReported(tx, sent, services.now())
    await store.markRefused(tx, idsOf('refused'), services.now())
  })
  const gone = [...new Set(having('gone').map(row => row.account_id))]
  return { sent, gone, down: having('down').length > 0 }
}

async function tryReport(services: Services, row: Row): Promise<Answer> {
  try {
    await reportUsage(services, { ...row, at: row.occurred_at })
    return 'sent'
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const about = { err: error, account: row.account_id, usage: row.id }
    if (error.kind === 'down') services.log.warn(about, 'payment provider down')
    else services.log.error(about, 'the payment provider does not take this usage')
    return error.kind === 'down' ? 'down' : error.kind === 'missing' ? 'gone' : 'refused'
  }
}

/** One report. Throws what the provider throws. */
export const reportUsage = (services: Services, { id, meter, quantity, customer, at }: Counted) =>
  services.outside.payments.reportUsage({ id, meter, quantity, customer, at: inWindow(at, services.now()) })
