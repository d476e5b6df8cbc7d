import type { Services } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import * as store from './meter-store.ts'

/**
 * Rows marked in one transaction. After a crash they are reported again, and the provider counts each id
 * once.
 */
const batch = 100
/** Concurrent calls: the provider allows a hundred per second for all of ours. */
const atOnce = 5
/** One run ends before its job times out; the next one continues. */
const runMs = 45_000

/** Pause before rejected usage is reported again, in case the reason was fixed. */
const retryRejectedMs = 86_400_000

/** The provider accepts times up to 35 days back and five minutes ahead; clocks differ. */
const backMs = 35 * 86_400_000 - 3_600_000

type Counted = Pick<store.UnreportedUsage, 'id' | 'meter' | 'quantity'> & { at: Date; customer: string }

const inWindow = (at: Date, now: Date) =>
  new Date(Math.min(Math.max(at.getTime(), now.getTime() - backMs), now.getTime()))

/**
 * The job, every minute. Reports metered usage; the row's id makes a report idempotent. Rejected usage is
 * skipped, so that the rest continues.
 * @returns the number of reported rows
 */
export async function reportPendingUsage(services: Services): Promise<number> {
  const until = performance.now() + runMs
  const gone: string[] = []
  let reported = 0
  while (performance.now() < until) {
    const refusedBefore = new Date(services.now().getTime() - retryRejectedMs)
    const rows = await services.asSystem('find unreported usage', tx =>
      store.findUnreportedUsage(tx, { without: gone, refusedBefore, limit: batch }),
    )
    const result = await reportBatch(services, rows)
    gone.push(...result.gone)
    reported += result.sent.length
    if (result.down || rows.length < batch) break
  }
  return reported
}

/** Reports the pending usage of one account at once, before its metered price is removed. */
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
type BatchResult = { sent: string[]; gone: string[]; down: boolean }

/**
 * Reports rows and stores the result of each.
 * @returns `gone`: accounts whose customer no longer exists
 */
async function reportBatch(services: Services, rows: Row[]): Promise<BatchResult> {
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
  await services.asSystem('mark usage as reported', async tx => {
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
    else services.log.error(about, 'the payment provider rejected this usage')
    return error.kind === 'down' ? 'down' : error.kind === 'missing' ? 'gone' : 'refused'
  }
}

/** Throws the provider's errors. */
export const reportUsage = (services: Services, { id, meter, quantity, customer, at }: Counted) =>
  services.integrations.payments.reportUsage({
    id,
    meter,
    quantity,
    customer,
    at: inWindow(at, services.now()),
  })
