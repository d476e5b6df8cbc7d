import { isPlanId, planOf } from '@plinth/contract/plans'
import { displayStatus, hasEnded, isRunning } from '../../src/features/billing/core/rules.ts'
import type { Confirmation, ProviderSubscription } from '../../src/integrations/stripe/payments.ts'
import { field, type Ledger, type Loose, number, readLedger, text } from './ledger.ts'
import { chargedAsQuoted } from './quotes.ts'
import { runScheduled } from './run-step.ts'
import { passTime, type Simulation } from './simulation.ts'

/** Delivers all webhooks, runs all jobs, and waits until no confirmation is open. */
export async function settleAll(sim: Simulation) {
  const { env } = sim
  const all = { order: 'as_sent', copies: 1, share: 'all' } as const
  // The longest wait for a confirmation, then the jobs after it.
  for (const hours of [25, 1 / 12, 0]) {
    await env.provider.deliverWebhooks(all, env.processes)
    await runScheduled(sim)
    if (hours > 0) await passTime(sim, hours)
  }
}

/** Invariants at the end of every simulation. */
export async function findViolations(sim: Simulation): Promise<string[]> {
  const seen = await readLedger(sim)
  const wrong = [
    ...sim.problems,
    ...chargedOnce(seen),
    ...oneSubscriptionAtATime(sim, seen),
    ...nothingLeftOfClosed(sim, seen),
    ...closingChargesUsageOnly(sim, seen),
  ]
  if (sim.account) {
    wrong.push(...(await rowsMatchProvider(sim, seen)))
    wrong.push(...(await chargedAsQuoted(sim.env.system, sim.account.id, seen)))
  }
  return wrong
}

/** Number of successful payments. */
export async function chargesOf(sim: Simulation): Promise<number> {
  return (await readLedger(sim)).intents.filter(one => text(one.status) === 'succeeded').length
}

/** Each payment paid one invoice, each invoice was paid once, and not more than its amount. */
function chargedOnce({ intents, payments, invoices }: Ledger): string[] {
  const wrong: string[] = []
  const paidBy = new Map<string, Loose[]>()
  for (const intent of intents.filter(one => text(one.status) === 'succeeded')) {
    const invoice = payments.find(one => field(one, 'payment', 'payment_intent') === intent.id)?.invoice
    if (!invoice) wrong.push(`payment ${text(intent.id)} pays no invoice`)
    paidBy.set(text(invoice), [...(paidBy.get(text(invoice)) ?? []), intent])
  }
  for (const invoice of invoices) {
    const paying = paidBy.get(text(invoice.id)) ?? []
    const sum = paying.reduce((total, one) => total + number(one.amount), 0)
    const due = text(invoice.status) === 'paid' ? number(invoice.amount_due) : 0
    if (paying.length > 1) wrong.push(`invoice ${text(invoice.id)} was paid ${paying.length} times`)
    if (sum !== due)
      wrong.push(`invoice ${text(invoice.id)} (${text(invoice.status)}) asks ${due} and was paid ${sum}`)
  }
  return [...wrong, ...sameTimeTwice(invoices)]
}

/** One invoice for each period of a subscription. */
function sameTimeTwice(invoices: Loose[]): string[] {
  const begun = new Set<string>()
  return invoices.flatMap(invoice => {
    const reason = text(invoice.billing_reason)
    if (text(invoice.status) === 'void' || !['subscription_create', 'subscription_cycle'].includes(reason))
      return []
    const key = `${text(field(invoice, 'parent', 'subscription_details', 'subscription'))} ${text(invoice.period_start)}`
    if (begun.has(key)) return [`two invoices for the period ${key}`]
    begun.add(key)
    return []
  })
}

const ended = (one: Loose) => hasEnded(text(one.status))
/** Excludes subscriptions whose first payment never succeeded. */
const wasInForce = (one: Loose) => !['incomplete', 'incomplete_expired'].includes(text(one.status))

/** An account never has two subscriptions at once, none is left over, and it has one trial. */
function oneSubscriptionAtATime(sim: Simulation, { subscriptions, invoices }: Ledger): string[] {
  const wrong: string[] = []
  const trials = subscriptions.filter(one => one.trial_start !== null)
  if (trials.length > 1) wrong.push(`${trials.length} trials`)
  for (const account of [sim.account?.id, ...sim.closed].filter(id => id !== undefined)) {
    const mine = subscriptions
      .filter(one => field(one, 'metadata', 'account_id') === account)
      // The provider lists the newest first, which also orders rows of the same second.
      .reverse()
      .sort((a, b) => number(a.created) - number(b.created))
    const live = mine.filter(one => !ended(one))
    if (live.length > 1) wrong.push(`${live.length} live subscriptions: ${live.map(one => text(one.id))}`)
    const real = mine.filter(one => wasInForce(one) && paidFor(one, invoices))
    for (const [at, one] of real.entries()) {
      const before = real[at - 1]
      if (before && (!before.ended_at || number(before.ended_at) > number(one.created)))
        wrong.push(`${text(one.id)} started while ${text(before.id)} was in force`)
    }
  }
  return wrong
}

const paidFor = (one: Loose, invoices: Loose[]) =>
  text(one.status) === 'trialing' ||
  invoices.some(
    invoice =>
      text(invoice.status) === 'paid' &&
      field(invoice, 'parent', 'subscription_details', 'subscription') === one.id,
  )

/** A closed account has nothing that could still charge. */
function nothingLeftOfClosed(sim: Simulation, { customers, subscriptions }: Ledger): string[] {
  return sim.closed.flatMap(account => [
    ...customers
      .filter(one => field(one, 'metadata', 'account_id') === account)
      .map(one => `customer ${text(one.id)} of a closed account is left`),
    ...subscriptions
      .filter(one => field(one, 'metadata', 'account_id') === account && !ended(one))
      .map(one => `${text(one.id)} of a closed account is ${text(one.status)}`),
  ])
}

/** Closing an account invoices usage, which Billing shows; nothing of it was quoted. */
function closingChargesUsageOnly(
  { invoiced, closed }: Simulation,
  { invoices, subscriptions }: Ledger,
): string[] {
  const ids = subscriptions
    .filter(one => closed.includes(text(field(one, 'metadata', 'account_id'))))
    .map(one => one.id)
  return invoices
    .filter(
      one =>
        text(one.billing_reason) === 'subscription_update' &&
        ids.includes(field(one, 'parent', 'subscription_details', 'subscription') as never) && // as: compared by value
        !invoiced.has(text(one.id)) &&
        (field(one, 'lines', 'data') as Loose[]).some(chargesMoreThanUsage), // as: lines of an invoice
    )
    .map(
      one => `closing its account raised ${text(one.id)} of ${number(one.total)}, which is not usage alone`,
    )
}

const chargesMoreThanUsage = (line: Loose) =>
  number(line.amount) > 0 && field(line, 'parent', 'subscription_item_details', 'proration') === true

/** The rows match a fresh read, and access follows from them. */
async function rowsMatchProvider(sim: Simulation, { subscriptions }: Ledger): Promise<string[]> {
  const { env, account } = sim
  if (!account) return []
  const [row] = await env.system('select * from subscriptions where account_id = $1', [account.id])
  const [stored] = await env.system('select plan from accounts where id = $1', [account.id])
  const open = await env.system(
    "select state from billing_attempts where account_id = $1 and state in ('started', 'action_required')",
    [account.id],
  )
  const live = subscriptions.filter(one => field(one, 'metadata', 'account_id') === account.id && !ended(one))
  const wrong = [
    ...open.map(one => `an attempt is still ${text(one.state)}`),
    ...live.filter(one => one.id !== row?.provider_sub_id).map(one => `no row for ${text(one.id)}`),
    ...(stored?.plan === (row?.plan ?? null)
      ? []
      : [`account has plan ${stored?.plan}, its subscription ${row?.plan}`]),
  ]
  if (row?.provider_sub_id) wrong.push(...(await sameAsRead(sim, row)))
  return [...wrong, ...(await usageIsCounted(sim)), ...(await accessOf(sim, row))]
}

async function sameAsRead({ env }: Simulation, row: Loose): Promise<string[]> {
  const { payments } = env.processes[0].services.integrations
  const read = await payments.readSubscription(text(row.provider_sub_id))
  if (!read) return [`the provider does not know ${text(row.provider_sub_id)}`]
  const due = !isRunning(read.status) && !hasEnded(read.status) && read.paymentId
  const payment = due ? await payments.readPayment(read.paymentId ?? '') : null
  const expected = expectedRow(read, payment)
  const wrong = Object.entries(expected)
    .filter(([key, value]) => asText((row as Record<string, unknown>)[key]) !== asText(value)) // as: compared as text
    .map(
      ([key, value]) =>
        `${key} is ${asText((row as Record<string, unknown>)[key])}, the provider says ${asText(value)}`,
    ) // as: compared as text
  return [...wrong, ...(await seatsAreMembers(env.system, row, read))]
}

function expectedRow(read: ProviderSubscription, payment: Confirmation | null) {
  return {
    provider_status: read.status,
    status: displayStatus(read.status, payment?.status ?? null),
    plan: read.planKey,
    seats: read.seats,
    seat_price: read.seatPrice,
    cancel_at_period_end: read.cancelAtPeriodEnd,
    current_period_start: read.periodStart,
    current_period_end: read.periodEnd,
    trial_end: read.trialEnd,
  }
}

const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

async function seatsAreMembers(
  system: Simulation['env']['system'],
  row: Loose,
  read: ProviderSubscription,
): Promise<string[]> {
  if (!isRunning(read.status) || !isPlanId(row.plan) || planOf(row.plan).type !== 'per_seat') return []
  const [found] = await system('select count(*) as members from memberships where account_id = $1', [
    row.account_id,
  ])
  return number(found?.members) === read.seats
    ? []
    : [`${number(found?.members)} members and ${read.seats} seats`]
}

/** The provider counts all reported usage once. */
async function usageIsCounted({ env: { system, sandbox }, account }: Simulation): Promise<string[]> {
  const [stored] = await system(
    `select coalesce(sum(quantity), 0) as total, count(*) filter (where sent_at is null) as waiting, stripe_customer_id as customer
     from accounts left join usage_events on account_id = accounts.id and meter is not null
     where accounts.id = $1 group by stripe_customer_id`,
    [account?.id],
  )
  if (!stored?.customer || number(stored.total) === 0) return []
  const [meter] = await sandbox.list('/v1/billing/meters', {})
  const between = { start_time: '0', end_time: String(4_000_000_000) }
  const sums = await sandbox.list(`/v1/billing/meters/${text(meter?.id)}/event_summaries`, {
    customer: stored.customer,
    ...between,
  })
  const counted = sums.reduce((total, one) => total + number(one.aggregated_value), 0)
  return counted === number(stored.total)
    ? []
    : [
        `${number(stored.total)} were used (${number(stored.waiting)} reports wait), the provider counts ${counted}`,
      ]
}

/** Access is open to accounts that pay or have nothing to pay. */
async function accessOf({ env, account }: Simulation, row: Loose | undefined): Promise<string[]> {
  const [server] = env.processes
  const token = account?.token ?? ''
  const session = (await server.call('GET', '/api/auth', { token })).data
  const inside = (await server.call('GET', '/api/demo', { token })).status
  const may = row !== undefined && isRunning(text(row.status))
  return [
    ...(session.subscription === (row?.status ?? null)
      ? []
      : [`the session says ${session.subscription}, the row ${row?.status}`]),
    ...((inside === 200) === may
      ? []
      : [`a call inside answers ${inside} while the subscription is ${row?.status}`]),
  ]
}
