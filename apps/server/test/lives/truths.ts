import { isPlanId, planOf } from '@plinth/contract/plans'
import { displayStatus, hasEnded, isRunning } from '../../src/features/billing/core/rules.ts'
import type { Confirmation, ProviderSubscription } from '../../src/integrations/stripe/payments.ts'
import { field, type Ledger, type Loose, number, readLedger, text } from './ledger.ts'
import { type Life, pass } from './life.ts'
import { byTheClock } from './play.ts'
import { chargedAsQuoted } from './quotes.ts'

/** The last day of a life: what is told is told, what waits is done, and nobody is at a bank any more. */
export async function settle(life: Life) {
  const { town } = life
  const all = { order: 'as_sent', copies: 1, share: 'all' } as const
  // The longest that anything waits for a person, then what waited for that.
  for (const hours of [25, 1 / 12, 0]) {
    await town.provider.tell(all, town.processes)
    await byTheClock(life)
    if (hours > 0) await pass(life, hours)
  }
}

/** What has to hold at the end of every life, whatever happened in it. */
export async function truths(life: Life): Promise<string[]> {
  const seen = await readLedger(life)
  const wrong = [
    ...life.problems,
    ...chargedOnce(seen),
    ...oneAtATime(life, seen),
    ...closedMeansClosed(life, seen),
    ...closingChargesUsageOnly(life, seen),
  ]
  if (life.account) {
    wrong.push(...(await asTheProviderSays(life, seen)))
    wrong.push(...(await chargedAsQuoted(life.town.system, life.account.id, seen)))
  }
  return wrong
}

/** How many payments went through. */
export async function chargesOf(life: Life): Promise<number> {
  return (await readLedger(life)).intents.filter(one => text(one.status) === 'succeeded').length
}

/** Each payment that went through paid one invoice, each invoice was paid once, and for no more than it asked. */
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

/** No subscription asks for the same time twice: one invoice for each period that begins. */
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
/** Ever gave or asked for something: not one whose first payment never came. */
const lived = (one: Loose) => !['incomplete', 'incomplete_expired'].includes(text(one.status))

/** Of one account no two subscriptions lived at the same time, none is left over, and its trial was one. */
function oneAtATime(life: Life, { subscriptions, invoices }: Ledger): string[] {
  const wrong: string[] = []
  const trials = subscriptions.filter(one => one.trial_start !== null)
  if (trials.length > 1) wrong.push(`${trials.length} trials`)
  for (const account of [life.account?.id, ...life.closed].filter(id => id !== undefined)) {
    const mine = subscriptions
      .filter(one => field(one, 'metadata', 'account_id') === account)
      // The provider lists the newest first; of one second the order of its list says which came first.
      .reverse()
      .sort((a, b) => number(a.created) - number(b.created))
    const standing = mine.filter(one => !ended(one))
    if (standing.length > 1)
      wrong.push(`${standing.length} subscriptions stand: ${standing.map(one => text(one.id))}`)
    const real = mine.filter(one => lived(one) && paidFor(one, invoices))
    for (const [at, one] of real.entries()) {
      const before = real[at - 1]
      if (before && (!before.ended_at || number(before.ended_at) > number(one.created)))
        wrong.push(`${text(one.id)} was begun while ${text(before.id)} lived`)
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

/** A closed account has nothing that could still charge anybody. */
function closedMeansClosed(life: Life, { customers, subscriptions }: Ledger): string[] {
  return life.closed.flatMap(account => [
    ...customers
      .filter(one => field(one, 'metadata', 'account_id') === account)
      .map(one => `customer ${text(one.id)} of a closed account is left`),
    ...subscriptions
      .filter(one => field(one, 'metadata', 'account_id') === account && !ended(one))
      .map(one => `${text(one.id)} of a closed account is ${text(one.status)}`),
  ])
}

/** Closing an account invoices usage, which Billing shows; nothing of it was quoted. */
function closingChargesUsageOnly({ invoiced, closed }: Life, { invoices, subscriptions }: Ledger): string[] {
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

/** The rows are what a fresh read says; what may be done follows from it. */
async function asTheProviderSays(life: Life, { subscriptions }: Ledger): Promise<string[]> {
  const { town, account } = life
  if (!account) return []
  const [row] = await town.system('select * from subscriptions where account_id = $1', [account.id])
  const [kept] = await town.system('select plan from accounts where id = $1', [account.id])
  const open = await town.system(
    "select state from billing_attempts where account_id = $1 and state in ('started', 'action_required')",
    [account.id],
  )
  const standing = subscriptions.filter(
    one => field(one, 'metadata', 'account_id') === account.id && !ended(one),
  )
  const wrong = [
    ...open.map(one => `an attempt is still ${text(one.state)}`),
    ...standing.filter(one => one.id !== row?.provider_sub_id).map(one => `nobody knows of ${text(one.id)}`),
    ...(kept?.plan === (row?.plan ?? null)
      ? []
      : [`account has plan ${kept?.plan}, its subscription ${row?.plan}`]),
  ]
  if (row?.provider_sub_id) wrong.push(...(await sameAsRead(life, row)))
  return [...wrong, ...(await usageIsCounted(life)), ...(await accessOf(life, row))]
}

async function sameAsRead({ town }: Life, row: Loose): Promise<string[]> {
  const { payments } = town.processes[0].services.outside
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
  return [...wrong, ...(await seatsAreMembers(town.system, row, read))]
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
  system: Life['town']['system'],
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

/** Everything that was reported on a metered plan is counted by the provider, once. */
async function usageIsCounted({ town: { system, sandbox }, account }: Life): Promise<string[]> {
  const [kept] = await system(
    `select coalesce(sum(quantity), 0) as total, count(*) filter (where sent_at is null) as waiting, stripe_customer_id as customer
     from accounts left join usage_events on account_id = accounts.id and meter is not null
     where accounts.id = $1 group by stripe_customer_id`,
    [account?.id],
  )
  if (!kept?.customer || number(kept.total) === 0) return []
  const [meter] = await sandbox.list('/v1/billing/meters', {})
  const between = { start_time: '0', end_time: String(4_000_000_000) }
  const sums = await sandbox.list(`/v1/billing/meters/${text(meter?.id)}/event_summaries`, {
    customer: kept.customer,
    ...between,
  })
  const counted = sums.reduce((total, one) => total + number(one.aggregated_value), 0)
  return counted === number(kept.total)
    ? []
    : [
        `${number(kept.total)} were used (${number(kept.waiting)} reports wait), the provider counts ${counted}`,
      ]
}

/** Who may come in is who pays, or has nothing to pay. */
async function accessOf({ town, account }: Life, row: Loose | undefined): Promise<string[]> {
  const [server] = town.processes
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
