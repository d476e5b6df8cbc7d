import { planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import { hasEnded, planOfPrice, seatsFor } from '../core/rules.ts'
import { notifySeatChange } from '../mails/notify.ts'
import { sync } from '../sync/sync.ts'
import * as store from './seat-store.ts'

/** Members must be unchanged this long, so that ten who join together are one line of the invoice. */
export const quietMs = 10_000
/** Pause before a retry. */
const pauseMs = 60_000
const atOnce = 100
/** One run ends before its job times out; the next one continues. */
const runMs = 45_000

/**
 * The job, every minute. Writes the number of members to subscriptions sold by the seat, where a fresh read
 * differs. Can be repeated from any point.
 * @returns the number of changed subscriptions
 */
export async function syncSeats(services: Services): Promise<number> {
  const until = performance.now() + runMs
  let changed = 0
  for (;;) {
    const now = services.now().getTime()
    const by = {
      changedBefore: new Date(now - quietMs),
      triedBefore: new Date(now - pauseMs),
      limit: atOnce,
    }
    const due = await services.asSystem('find changed seats', tx => store.findDueSeats(tx, by))
    for (const change of due) {
      const outcome = await trySync(services, change)
      if (outcome === 'down' || performance.now() > until) return changed
      if (outcome === 'changed') changed += 1
    }
    if (due.length < atOnce) return changed
  }
}

type Outcome = 'changed' | 'equal' | 'later'

async function trySync(services: Services, change: store.SeatChange): Promise<Outcome | 'refused' | 'down'> {
  try {
    const outcome = await syncSeatsOf(services, change)
    await services.asSystem('mark seats as synced', tx =>
      outcome === 'later'
        ? store.postponeSeatSync(tx, change, services.now(), false)
        : store.markSeatsSynced(tx, change),
    )
    return outcome
  } catch (error) {
    // Goes to the end of the queue, so that a permanent failure does not block the others.
    await services.asSystem('postpone a seat sync', tx =>
      store.postponeSeatSync(tx, change, services.now(), true),
    )
    if (!(error instanceof PaymentsError)) throw error
    services.log.warn({ err: error, account: change.account_id }, 'could not sync seats')
    return error.kind === 'down' ? 'down' : 'refused'
  }
}

async function syncSeatsOf(services: Services, { account_id, version }: store.SeatChange): Promise<Outcome> {
  const { payments } = services.integrations
  const known = await services.asSystem('count members', tx => store.findSeats(tx, account_id))
  if (!known?.subscription || known.status === 'canceled') return known?.paying ? 'later' : 'equal'
  // An open attempt sets the seats itself; later changes are synced after it.
  if (known.paying) return 'later'
  const subscription = await payments.readSubscription(known.subscription)
  // Ended, or of another customer: nothing to write; webhooks and the nightly job handle the end.
  if (!subscription || hasEnded(subscription.status) || subscription.customer !== known.customer)
    return 'equal'
  const plan = planOfPrice(subscription)
  if (!plan || subscription.status === 'incomplete' || subscription.pendingUpdate) return 'later'
  const wanted = seatsFor(planOf(plan), known.members ?? 1)
  const differs = subscription.seats !== wanted
  if (differs) {
    const item = invariant(
      subscription.items.find(one => !one.metered),
      `the seats of ${subscription.id}`,
    )
    await payments.setSeats(subscription.id, item.id, wanted, `${account_id}:${version}`)
    // An administrator who adds people sees no prices, so each owner is mailed the new one.
    const change = { plan, before: subscription.seats, subscription: { ...subscription, seats: wanted } }
    await services.withinAccount(account_id, async tx => {
      const account = await lockAccount(tx, account_id)
      if (account) await notifySeatChange(services, tx, account, change)
    })
  }
  if (differs || known.seats !== subscription.seats) await sync(services, account_id, subscription.id)
  return differs ? 'changed' : 'equal'
}
