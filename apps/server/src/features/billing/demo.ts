import { isPlanId, planOf } from '@plinth/contract/plans'
import type { World } from '../../context.ts'
import { firstItems } from './catalogue.ts'
import * as store from './demo-store.ts'
import { seatsFor } from './rules.ts'
import { sync } from './sync.ts'

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
export async function linkDemo(world: World, emails: string[]): Promise<void> {
  if (emails.length === 0) return
  try {
    await unlinkLost(world, emails)
    const accounts = await world.asSystem('demo accounts without a customer', tx =>
      store.findUnlinked(tx, emails),
    )
    for (const account of accounts) await linkOne(world, account)
  } catch (error) {
    world.log.warn({ err: error }, 'the demo accounts could not be read')
  }
}

/** What was there before the sandbox was emptied is nowhere now: these accounts are made once more, as they stand. */
async function unlinkLost(world: World, emails: string[]) {
  const linked = await world.asSystem('demo accounts with a customer', tx => store.findLinked(tx, emails))
  for (const { id, customer } of linked)
    if ((await world.outside.payments.readPayer(customer)) === null)
      await world.withinAccount(id, tx => store.unlink(tx, id))
}

async function linkOne(world: World, account: Account) {
  try {
    await makeReal(world, account)
  } catch (error) {
    // One account's trouble must not keep the others from theirs.
    world.log.warn({ err: error, account: account.id }, 'a demo account could not be made at the sandbox')
  }
}

async function makeReal(world: World, account: Account) {
  const made = await make(world, account)
  const linked = await world.withinAccount(account.id, tx => store.link(tx, account.id, made))
  if (linked) await sync(world, account.id, made.subscription)
  else await world.outside.payments.cancelSubscription(made.subscription)
}

function make(world: World, account: Account): Promise<Made> {
  switch (account.status) {
    case 'requires_payment_method':
      return makeOwing(world, account, cards.refused)
    case 'requires_action':
      return makeOwing(world, account, cards.asks)
    case 'canceled':
      return makeCanceled(world, account)
    default:
      return makePaid(world, account)
  }
}

async function makePaid(world: World, account: Account): Promise<Made> {
  const customer = await world.outside.payments.createCustomer(account.id)
  return { customer, subscription: await subscribe(world, account, customer) }
}

async function makeCanceled(world: World, account: Account): Promise<Made> {
  const made = await makePaid(world, account)
  await world.outside.payments.cancelSubscription(made.subscription)
  return made
}

/**
 * A month that was paid, then a renewal that was not. A first payment that fails would be gone after 23 hours, and a
 * failed renewal after two weeks, so these customers live by a clock of their own, which then stands still: the state
 * lasts until somebody gives another card or confirms. What they pay for afterwards never renews.
 */
async function makeOwing(world: World, account: Account, token: string): Promise<Made> {
  const { payments } = world.outside
  const key = keyOf(account)
  const start = account.created_at.getTime() - beforeMs
  const clock = await payments.createClock(new Date(start), key)
  const customer = await payments.createClockedCustomer(account.id, clock, key)
  const subscription = await subscribe(world, account, customer)
  // The first card stays saved: a repetition, after a stop, puts it to use once more.
  const next = await payments.saveCard(customer, token, `${key}:next`)
  await payments.chargeCard(customer, subscription, next.id)
  await payments.moveClock(clock, new Date(start + lastsMs), key)
  return { customer, subscription }
}

/** Pays the first month with a good card. @returns the subscription's id */
async function subscribe(world: World, account: Account, customer: string): Promise<string> {
  const { payments } = world.outside
  if (!isPlanId(account.plan)) throw new Error(`A demo account has no plan of ours: ${account.plan}`)
  const plan = planOf(account.plan)
  const card = await payments.saveCard(customer, cards.good, keyOf(account))
  await payments.useCard(customer, card.id, { email: account.email, name: account.name })
  const { id } = await payments.createSubscription({
    customer,
    card: card.id,
    items: await firstItems(world, plan, seatsFor(plan, account.seats)),
    trialDays: 0,
    promotion: null,
    metadata: { account_id: account.id },
    key: keyOf(account),
  })
  return id
}

const keyOf = ({ id }: Account) => `demo:${id}`
