import { isPlanId, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { seatsFor } from '../core/rules.ts'
import { firstItems } from '../prices/catalogue.ts'
import { sync } from '../sync/sync.ts'
import * as store from './demo-store.ts'

type Account = Awaited<ReturnType<typeof store.findUnlinked>>[number]
type Made = { customer: string; subscription: string }

/** Test cards of the provider: 4242; 0341, every charge is declined; 3184, the bank asks every time. */
const cards = {
  good: 'pm_card_visa',
  refused: 'pm_card_chargeCustomerFail',
  asks: 'pm_card_authenticationRequired',
} as const

const dayMs = 86_400_000
/**
 * Starts before the longest month, until the renewal has been charged; a declined renewal is given up two
 * weeks later.
 */
const beforeMs = 31 * dayMs
const lastsMs = 32 * dayMs

/**
 * Creates customers, cards, invoices and subscriptions for the demo accounts of the seed at the sandbox.
 * Takes accounts without a customer, or whose customer was lost when the sandbox was reset. Idempotency keys
 * of the account prevent duplicates. Never throws: the next start retries.
 * @param emails of the seed's users; empty when demo accounts are off
 */
export async function linkDemoAccounts(services: Services, emails: string[]): Promise<void> {
  if (emails.length === 0) return
  try {
    await unlinkLost(services, emails)
    const accounts = await services.asSystem('find demo accounts without a customer', tx =>
      store.findUnlinked(tx, emails),
    )
    for (const account of accounts) await linkOne(services, account)
  } catch (error) {
    services.log.warn({ err: error }, 'the demo accounts could not be read')
  }
}

/** Accounts whose customer was lost with a reset of the sandbox are created again. */
async function unlinkLost(services: Services, emails: string[]) {
  const linked = await services.asSystem('find demo accounts with a customer', tx =>
    store.findLinked(tx, emails),
  )
  for (const { id, customer } of linked)
    if ((await services.integrations.payments.readPayer(customer)) === null)
      await services.withinAccount(id, tx => store.unlink(tx, id))
}

async function linkOne(services: Services, account: Account) {
  try {
    await makeReal(services, account)
  } catch (error) {
    // One failing account must not stop the others.
    services.log.warn({ err: error, account: account.id }, 'a demo account could not be made at the sandbox')
  }
}

async function makeReal(services: Services, account: Account) {
  const made = await make(services, account)
  const linked = await services.withinAccount(account.id, tx => store.link(tx, account.id, made))
  if (linked) await sync(services, account.id, made.subscription)
  else await services.integrations.payments.cancelSubscription(made.subscription)
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
  const customer = await services.integrations.payments.createCustomer(account.id)
  return { customer, subscription: await subscribe(services, account, customer) }
}

async function makeCanceled(services: Services, account: Account): Promise<Made> {
  const made = await makePaid(services, account)
  await services.integrations.payments.cancelSubscription(made.subscription)
  return made
}

/**
 * Creates a paid month and an unpaid renewal. The provider would end an unpaid first payment after 23 hours
 * and an unpaid renewal after two weeks. These customers have their own test clock, which then stops, so the
 * state lasts until a user adds another card or confirms. Their later payments never renew.
 */
async function makeOwing(services: Services, account: Account, token: string): Promise<Made> {
  const { payments } = services.integrations
  const key = keyOf(account)
  const start = account.created_at.getTime() - beforeMs
  const clock = await payments.createClock(new Date(start), key)
  const customer = await payments.createClockedCustomer(account.id, clock, key)
  const subscription = await subscribe(services, account, customer)
  // The first card stays saved, because a repeated run charges it again.
  const next = await payments.saveCard(customer, token, `${key}:next`)
  await payments.setChargedCard(customer, subscription, next.id)
  await payments.moveClock(clock, new Date(start + lastsMs), key)
  return { customer, subscription }
}

/**
 * Pays the first month with a good card.
 * @returns the subscription's id
 */
async function subscribe(services: Services, account: Account, customer: string): Promise<string> {
  const { payments } = services.integrations
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
