import { planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import { hasEnded, planOfPrice, seatsFor } from '../core/rules.ts'
import { sync } from '../sync/sync.ts'
import * as store from './seat-store.ts'

/** So long nobody comes or goes before it is carried over: ten who come together are one line of the invoice. */
export const quietMs = 10_000
/** What went wrong is tried again after so long. */
const pauseMs = 60_000
const atOnce = 100
/** One run ends within the time that its job has; the next goes on. */
const runMs = 45_000

/**
 * The job, every minute. Carries to the provider how many people the accounts that pay by the seat have: counted now,
 * compared with a fresh read, written only where it differs. May be cut off and repeated anywhere.
 * @returns for how many accounts something was changed there
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
    const due = await services.asSystem('seats that have changed', tx => store.findDueSeats(tx, by))
    for (const change of due) {
      const outcome = await tryToCarry(services, change)
      if (outcome === 'down' || performance.now() > until) return changed
      if (outcome === 'changed') changed += 1
    }
    if (due.length < atOnce) return changed
  }
}

type Outcome = 'changed' | 'equal' | 'later'

async function tryToCarry(
  services: Services,
  change: store.SeatChange,
): Promise<Outcome | 'refused' | 'down'> {
  try {
    const outcome = await carry(services, change)
    await services.asSystem('seats are carried', tx =>
      outcome === 'later'
        ? store.postponeSeatSync(tx, change, services.now(), false)
        : store.markSeatsSynced(tx, change),
    )
    return outcome
  } catch (error) {
    // Behind all others, so that what never works does not keep them waiting.
    await services.asSystem('seats are carried later', tx =>
      store.postponeSeatSync(tx, change, services.now(), true),
    )
    if (!(error instanceof PaymentsError)) throw error
    services.log.warn({ err: error, account: change.account_id }, 'seats could not be carried over')
    return error.kind === 'down' ? 'down' : 'refused'
  }
}

async function carry(services: Services, { account_id, version }: store.SeatChange): Promise<Outcome> {
  const { payments } = services.outside
  const known = await services.asSystem('how many people an account has', tx =>
    store.findSeats(tx, account_id),
  )
  if (!known?.subscription || known.status === 'canceled') return known?.paying ? 'later' : 'equal'
  // A change under way says how many seats there are then; what came meanwhile is carried after it.
  if (known.paying) return 'later'
  const seen = await payments.readSubscription(known.subscription)
  // Ended there, or another customer's (T-63): nothing to be written; notices and the night tell of the end.
  if (!seen || hasEnded(seen.status) || seen.customer !== known.customer) return 'equal'
  const plan = planOfPrice(seen)
  if (!plan || seen.status === 'incomplete' || seen.pendingUpdate) return 'later'
  const wanted = seatsFor(planOf(plan), known.members ?? 1)
  const differs = seen.seats !== wanted
  if (differs) {
    const item = invariant(
      seen.items.find(one => !one.metered),
      `the seats of ${seen.id}`,
    )
    await payments.setSeats(seen.id, item.id, wanted, `${account_id}:${version}`)
  }
  if (differs || known.seats !== seen.seats) await sync(services, account_id, seen.id)
  return differs ? 'changed' : 'equal'
}
