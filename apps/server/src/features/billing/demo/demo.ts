import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { seatsFor } from '../core/rules.ts'
import { firstItems } from '../prices/catalogue.ts'
import { sync } from '../sync/sync.ts'
import * as store from './demo-store.ts'

type Account = Awaited<ReturnType<typeof store.findUnlinked>>[number]
type Made = { customer: string; subscription: string }

/** The provider's own names of test cards: 4242, 0341 (every charge is refused), 3184 (the bank asks every time). */
const cards = {
  good: 'pm_card_visa',
  refused: 'pm_card_chargeCustomerFail',
  asks: 'pm_card_authenticationRequired',
} as const

const dayMs = 86_400_000
/** From before the longest month until its renewal has been charged; a refused one is given up two weeks later. */
const beforeMs = 31 * dayMs
const lastsMs = 32 * dayMs

/**
 * Gives the demo accounts of the seed at the sandbox what their rows say: customers, cards, invoices, subscriptions.
 * Goes through those that have no customer yet, or whose customer went when the sandbox was emptied, under keys of the
 * account, so that another start, or one after a stop in between, makes nothing twice. It throws nothing: an account
 * that it can't finish is left to the next start.
 * @param emails of the seed's people; none where demo accounts are off
 */
export async function linkDemoAccounts(services: Services, emails: string[]): Promise<void> {
  if (emails.length === 0) return
  try {
    await unlinkLost(services, emails)
    const accounts = await services.asSystem('demo accounts without a customer', tx =>
      store.findUnlinked(tx, emails),
    )
    for (const account of accounts) await linkOne(services, account)
  } catch (error) {
    services.log.warn({ err: error }, 'the demo accounts could not be read')
  }
}

/** What was there before the sandbox was emptied is nowhere now: these accounts are made once more, as they stand. */
async function unlinkLost(services: Services, emails: string[]) {
  const linked = await services.asSystem('demo accounts with a customer', tx => store.findLinked(tx, emails))
  for (const { id, customer } of linked)
    if ((await services.outside.payments.readPayer(customer)) === null)
      await services.withinAccount(id, tx => store.unlink(tx, id))
}

async function linkOne(services: Services, account: Account) {
  try {
    await makeReal(services, account)
  } catch (error) {
    // One account's trouble must not keep the others from theirs.
    services.log.warn({ err: error, account: account.id }, 'a demo account could not be made at the sandbox')
  }
}

async function makeReal(services: Services, account: Account) {
  const made = await make(services, account)
  const linked = await services.withinAccount(account.id, tx => store.link(tx, account.id, made))
  if (linked) await sync(services, account.id, made.subscription)
  else await services.outside.payments.cancelSubscription(made.subscription)
}

function make(services: Services, account: Account): Promise<Made> {
  switch (account.status) {
    case 'requires_payment_method':
      return makeOwing(services, account, cards.refused)
    case 'requires_action':
      return makeOwing(services, account, cards.asks)
    case 'canceled':
      return makeCanceled(services, account)
    default:
      return makePaid(services, account)
  }
}

async function makePaid(services: Services, account: Account): Promise<Made> {
  const customer = await services.outside.payments.createCustomer(account.id)
  return { customer, subscription: await subscribe(services, account, customer) }
}

async function makeCanceled(services: Services, account: Account): Promise<Made> {
  const made = await makePaid(services, account)
  await services.outside.payments.cancelSubscription(made.subscription)
  return made
}

/**
 * A month that was paid, then a renewal that was not. A first payment that fails would be gone after 23 hours, and a
 * failed renewal after two weeks, so these customers live by a clock of their own, which then stands still: the state
 * lasts until somebody gives another card or confirms. What they pay for afterwards never renews.
 */
async function makeOwing(services: Services, account: Account, token: string): Promise<Made> {
  const { payments } = services.outside
  const key = keyOf(account)
  const start = account.created_at.getTime() - beforeMs
  const clock = await payments.createClock(new Date(start), key)
  const customer = await payments.createClockedCustomer(account.id, clock, key)
  const subscription = await subscribe(services, account, customer)
  // The first card stays saved: a repetition, after a stop, puts it to use once more.
  const next = await payments.saveCard(customer, token, `${key}:next`)
  await payments.setChargedCard(customer, subscription, next.id)
  await payments.moveClock(clock, new Date(start + lastsMs), key)
  return { customer, subscription }
}

/** Pays the first month with a good card. @returns the subscription's id */
async function subscribe(services: Services, account: Account, customer: string): Promise<string> {
  const { payments } = services.outside
  if (!isPlanId(account.plan)) throw new Error(`A demo account has no plan of ours: ${account.plan}`)
  const plan = planOf(account.plan)
  const card = await payments.saveCard(customer, cards.good, keyOf(account))
  await payments.setCustomerCard(customer, card.id, { email: account.email, name: account.name })
  const { id } = await payments.createSubscription({
    customer,
    card: card.id,
    items: await firstItems(services, plan, seatsFor(plan, account.seats)),
    trialDays: 0,
    promotion: null,
    metadata: { account_id: account.id },
    key: keyOf(account),
  })
  return id
}

const keyOf = ({ id }: Account) => `demo:${id}`
