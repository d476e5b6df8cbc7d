import { expect, it, vi } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { seedDemo } from '../../../db/seed.ts'
import { clearAccountCardCache } from '../core/saved-card.ts'
import { ensureCatalogue } from '../prices/catalogue.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { linkDemoAccounts } from './demo.ts'

// A separate sandbox, because its objects are counted and its clock is moved.
const sandbox = await ownSandbox()
const { call, db, services } = await makeTestApp(sandbox.env)
await ensureCatalogue(services)
const people = await seedDemo(services, new Date())
const emails = people.map(({ email }) => email)

async function signIn(name: string) {
  const email = `${name}@demo.plinth.example`
  const password = people.find(one => one.email === email)?.password
  const { data } = await call('POST', '/api/auth', { body: { email, password } })
  return { token: String(data.token), account_id: String(data.account_id) }
}

/** The owner's view of an account: card, invoices, subscription. */
async function seenBy(name: string) {
  const owner = await signIn(name)
  const read = async (path: string) => (await call('GET', `/api/account/${path}`, owner)).data
  const { status, plan, seats } = (await read('subscription')) ?? {}
  const invoices = await read('invoice')
  return {
    status,
    plan,
    seats,
    card: (await read('card')).last4,
    invoices: invoices.map((one: { status: string }) => one.status),
  }
}

const states = {
  owner: 'active',
  'big-team': 'active',
  'failed-payment': 'requires_payment_method',
  'needs-action': 'requires_action',
  canceled: 'canceled',
}
const linked = {
  owner: { card: '4242', invoices: ['paid'] },
  'big-team': { card: '4242', invoices: ['paid'] },
  'failed-payment': { card: '0341', invoices: ['open', 'paid'] },
  'needs-action': { card: '3184', invoices: ['open', 'paid'] },
  canceled: { card: '4242', invoices: ['paid'] },
}
const expectAll = async (wanted: Record<string, object>) => {
  for (const [name, status] of Object.entries(states))
    expect(await seenBy(name), name).toMatchObject({ status, ...wanted[name] })
}
const inventory = async () => {
  const kinds = ['customers', 'subscriptions', 'invoices', 'test_helpers/test_clocks', 'payment_intents']
  const found = kinds.map(kind =>
    sandbox.list(`/v1/${kind}`, kind === 'subscriptions' ? { status: 'all' } : {}),
  )
  return (await Promise.all(found)).map(rows => rows.map(({ id }) => id))
}

it('demo accounts show the same before and after they exist at the sandbox', async () => {
  await expectAll(Object.fromEntries(Object.keys(states).map(name => [name, { card: null, invoices: [] }])))
  // The sandbox fails during every try; existing objects must be found again.
  await sandbox.fault('POST /v1/test_helpers/test_clocks/*/advance', 'reset', 4)
  await linkDemoAccounts(services, emails)
  await sandbox.clearFaults()
  expect([(await seenBy('owner')).card, (await seenBy('failed-payment')).card]).toEqual(['4242', null])
  await linkDemoAccounts(services, emails)
  await expectAll(linked)
  expect(await seenBy('owner')).toMatchObject({ plan: 'startup', seats: 4 })
})

/** The state after a crash between the sandbox's last reply and our row. */
const unlink = async (name: string) => {
  const account = `select m.account_id from memberships m join users u on u.id = m.user_id where u.email = $1`
  const email = `${name}@demo.plinth.example`
  for (const statement of [
    `update accounts set stripe_customer_id = null where id in (${account})`,
    `update subscriptions set provider_sub_id = null where account_id in (${account})`,
  ])
    await db.asOwnerOfJobs(statement, [email])
}

it('another start, or two at once, creates nothing new, and the nightly job repairs nothing', async () => {
  const before = await inventory()
  for (const name of Object.keys(states)) await unlink(name)
  await Promise.all([linkDemoAccounts(services, emails), linkDemoAccounts(services, emails)])
  await linkDemoAccounts(services, emails)
  expect(await inventory()).toEqual(before)
  await expectAll(linked)
  expect(before.map(ids => ids.length)).toEqual([5, 5, 7, 2, 7])
  expect(await reconcile(services, null)).toMatchObject({ accounts: 5, states: 0, seats: 0, payers: 0 })
})

it('declined and unconfirmed payments keep their state while the sandbox runs', async () => {
  await sandbox.passDays(45)
  await reconcile(services, null)
  await expectAll({ ...linked, owner: { invoices: ['paid', 'paid'] }, 'big-team': {} })
})

it('demo owners can confirm a payment, pay with another card, and change the plan', async () => {
  const [asked] = (await sandbox.list('/v1/payment_intents', {})).filter(
    one => one.status === 'requires_action',
  )
  await sandbox.bank(String(asked?.client_secret), 'complete')
  await reconcile(services, null)
  expect(await seenBy('needs-action')).toMatchObject({ status: 'active', invoices: ['paid', 'paid'] })
  const late = await signIn('failed-payment')
  const body = { token: await sandbox.card() }
  expect((await call('PATCH', '/api/account/card', { ...late, body })).status).toBe(200)
  expect(await seenBy('failed-payment')).toMatchObject({
    status: 'active',
    card: '4242',
    invoices: ['paid', 'paid'],
  })
  const owner = await signIn('owner')
  const change = await call('PATCH', '/api/account/plan', { ...owner, body: { plan: 'startup_yearly' } })
  expect(change.status).toBe(200)
  expect(await seenBy('owner')).toMatchObject({ status: 'active', plan: 'startup_yearly', seats: 4 })
})

it('a plan chosen in the meantime is kept; nothing is created when demo accounts are off', async () => {
  const { payments } = services.integrations
  await unlink('big-team')
  await linkDemoAccounts(services, [])
  expect((await seenBy('big-team')).card).toBe(null)
  const create = payments.createSubscription
  const owner = await signIn('big-team')
  const body = { plan: 'startup_yearly', token: await sandbox.card('5555555555554444') }
  let choice: Promise<{ status: number }> | undefined
  vi.spyOn(payments, 'createSubscription').mockImplementationOnce(async made => {
    choice = call('POST', '/api/account/plan', { ...owner, body })
    await choice
    return create(made)
  })
  await linkDemoAccounts(services, emails)
  expect((await choice)?.status).toBe(200)
  await clearAccountCardCache(services, owner.account_id)
  expect(await seenBy('big-team')).toMatchObject({ status: 'active', plan: 'startup_yearly', card: '4444' })
})

it('a start after a reset of the sandbox creates all demo accounts again', async () => {
  const before = await Promise.all(Object.keys(states).map(seenBy))
  await sandbox.api('POST', '/sandbox/reset')
  services.integrations.payments.clearPriceCache()
  await ensureCatalogue(services)
  for (let start = 1; start <= 2; start++) await linkDemoAccounts(services, emails)
  const after = await Promise.all(Object.keys(states).map(seenBy))
  expect(after.map(({ status, plan }) => [status, plan])).toEqual(
    before.map(({ status, plan }) => [status, plan]),
  )
  expect(after.map(({ card, invoices }) => [card, invoices])).toEqual(after.map(() => ['4242', ['paid']]))
  expect(await reconcile(services, null)).toMatchObject({ accounts: 5, states: 0, seats: 0, payers: 0 })
})
