import { setTimeout as pause } from 'node:timers/promises'
import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { seatsFor } from '../core/rules.ts'
import { findPayer } from '../core/store.ts'
import { endsSoon, notifyTrialEnd } from '../mails/dunning.ts'
import * as seats from '../seats/seat-store.ts'
import { quietMs, syncSeats } from '../seats/sync-seats.ts'
import { removeDeletedCustomer } from '../sync/deleted-customer.ts'
import { syncAndEndUnwanted } from '../sync/end-unwanted.ts'
import { reportPendingUsage } from '../usage/report-usage.ts'
import { requeueWebhooks } from '../webhooks/webhooks.ts'
import { findBillingState, findCustomers } from './reconcile-store.ts'

/** Accounts of one job, and the pause between them, so that calls of users are not slowed down. */
const atOnce = 50
const pauseMs = 50

export type Repaired = { accounts: number; states: number; seats: number; usage: number; payers: number }
type Customer = { id: string; customer: string }
const nothing: Repaired = { accounts: 0, states: 0, seats: 0, usage: 0, payers: 0 }

/**
 * The nightly job. Compares each account with a fresh read and repairs differences: state, seats, usage,
 * payer, second subscriptions, unhandled webhooks. Every batch is a job of its own, so that it survives a
 * stop.
 */
export async function reconcile(
  services: Services,
  data: { after: string; repaired: Record<string, number> } | null,
): Promise<Repaired> {
  const repaired = { ...nothing, ...data?.repaired }
  const after = data?.after ?? null
  const accounts = await services.asSystem('find accounts with a customer', tx =>
    findCustomers(tx, { after, limit: atOnce }),
  )
  for (const account of accounts) {
    repaired.accounts += 1
    await repair(services, account, repaired)
    await pause(pauseMs)
  }
  const last = accounts.at(-1)
  if (accounts.length === atOnce && last) {
    await services.asSystem('enqueue the next batch', tx =>
      services.enqueue(tx, 'billing.reconcile', { after: last.id, repaired }, { key: last.id }),
    )
    return repaired
  }
  repaired.usage = await reportPendingUsage(services)
  repaired.seats = await syncSeats(services)
  await requeueWebhooks(services)
  services.log.info(repaired, 'compared with the payment provider')
  return repaired
}

async function repair(services: Services, account: Customer, repaired: Repaired) {
  try {
    if (await repairState(services, account)) repaired.states += 1
    if (await removeDeletedCustomer(services, account.id)) return
    if (await repairPayer(services, account)) repaired.payers += 1
    await requestSeatSyncIfUneven(services, account.id)
  } catch (error) {
    // The queue retries this batch when the provider is available.
    if (isPaymentsError(error, 'down')) throw error
    // One failing account must not stop the repair of the others.
    services.log.error({ err: error, account: account.id }, 'could not be compared with the payment provider')
  }
}

/** @returns whether anything differed from the provider */
async function repairState(services: Services, { id, customer }: Customer): Promise<boolean> {
  const standing = (await services.integrations.payments.subscriptionsOf(customer)).map(one => one.id)
  const before = await services.withinAccount(id, tx => findBillingState(tx, id))
  // The account was closed; its own job ends its subscriptions.
  if (!before) return false
  const own = before.subscription
  const others = standing.filter(one => one !== own)
  let ended = 0
  // The account's own subscription first: it decides what the others are.
  for (const subscription of own && before.status !== 'canceled' ? [own, ...others] : others) {
    const snapshot = await syncAndEndUnwanted(services, id, subscription)
    if (snapshot?.ended) ended += 1
    if (snapshot?.action === 'update' && snapshot.plan && endsSoon(snapshot.subscription, services.now()))
      await notifyTrialEnd(services, id, snapshot.plan, snapshot.subscription)
  }
  const after = await services.withinAccount(id, tx => findBillingState(tx, id))
  return ended > 0 || JSON.stringify(before) !== JSON.stringify(after)
}

/** Requests a sync of seats that differ from the number of members. */
async function requestSeatSyncIfUneven(services: Services, id: string) {
  await services.asSystem('check the seats of an account', async tx => {
    const known = await seats.findSeats(tx, id)
    if (!known?.subscription || known.status === 'canceled' || !isPlanId(known.plan)) return
    if (known.seats !== seatsFor(planOf(known.plan), known.members ?? 1))
      await seats.requestSeatSync(tx, id, new Date(services.now().getTime() - quietMs))
  })
}

/** Updates the e-mail address and name on invoices, which only change here. */
async function repairPayer(services: Services, { id, customer }: Customer): Promise<boolean> {
  const { payments } = services.integrations
  const wanted = await services.withinAccount(id, async tx => {
    const account = await findBillingState(tx, id)
    return account && { email: (await findPayer(tx, id)).email, name: account.name }
  })
  const payer = wanted && (await payments.readPayer(customer))
  if (!payer || (payer.email === wanted.email && payer.name === wanted.name)) return false
  await payments.setPayer(customer, wanted)
  return true
}
