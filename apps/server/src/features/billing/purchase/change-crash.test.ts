import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callServer,
  findCustomer,
  payments,
  signUpVerified,
  type VerifiedUser,
} from '../../../../test/harness/http-client.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { invariant } from '../../../lib/invariant.ts'

/** Points at which the server kills itself with signal 9 while a plan or a card is changed, and what must come of it. */
const points = [
  ['change_plan:after_attempt_commit', 'nothing'],
  ['change_plan:after_provider_update', 'everything'],
  ['change_plan:before_conclude_commit', 'everything'],
  ['replace_card:after_attempt_commit', 'nothing'],
  ['replace_card:after_provider_update', 'everything'],
] as const
type Point = (typeof points)[number][0]

/** Starts the real server six times, which takes a busy machine its time. */
const slow = 240_000

const env = { ...(await createServerEnv()), SETTLE_AFTER_SECONDS: '1' }
const people = new Map<string, VerifiedUser>()
let server: Awaited<ReturnType<typeof startServer>>

const changes = (point: Point) => point.startsWith('change_plan:')
/** What is cut off at a point: a dearer plan that is charged at once, or another card. */
const ask = async (url: string, point: Point, { token }: VerifiedUser) =>
  changes(point)
    ? callServer(`${url}/api/account/plan`, 'PATCH', { plan: 'startup_yearly' }, token)
    : callServer(
        `${url}/api/account/card`,
        'PATCH',
        { token: await payments.card('5555555555554444') },
        token,
      )

/** One database through all the deaths: each server dies at its point, the next one comes up on what is left. */
beforeAll(async () => {
  for (const [point] of points) {
    // Mails have to leave once, for the people to prove their addresses. After that no jobs: nothing is looked after
    // before the last server, which is there to be asked.
    const ROLE = people.size === 0 ? 'all' : 'web'
    const doomed = await startServer({ ...env, ROLE, FAULT: point })
    if (people.size === 0) await payAll(doomed.url)
    await expect(ask(doomed.url, point, invariant(people.get(point), point))).rejects.toThrow()
    expect(await doomed.exited).toBe('SIGKILL')
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

async function payAll(url: string) {
  for (const [point] of points) people.set(point, await paying(url))
}

async function paying(url: string): Promise<VerifiedUser> {
  const person = await signUpVerified(url, 'change-crash')
  const body = { plan: 'scale', token: await payments.card() }
  expect((await callServer(`${url}/api/account/plan`, 'POST', body, person.token)).status).toBe(200)
  return person
}

const read = async (person: VerifiedUser, path: string) =>
  (await callServer(`${server.url}/api/account/${path}`, 'GET', undefined, person.token)).data

/** What an owner reads here, and beside it what the provider has: one subscription, its cards, its payments. */
async function stateOf(person: VerifiedUser) {
  const customer = invariant(await findCustomer(person), 'a customer')
  const { standing, paid } = await payments.ledger(customer)
  expect(standing).toHaveLength(1)
  const there = standing[0] as unknown as {
    status: string
    pending_update: unknown
    cancel_at_period_end: boolean
    items: { data: { current_period_end: number; price: { metadata: { plan?: string } } }[] }
  } // as: tests say what they expect of it
  const base = there.items.data.find(item => item.price.metadata.plan)
  const here = await read(person, 'subscription')
  const cards = await payments.list(`/v1/customers/${customer}/payment_methods`, {})
  return {
    here: {
      plan: here.plan,
      status: here.status,
      ends: here.cancel_at_period_end,
      until: Date.parse(here.current_period_end ?? '') / 1000,
    },
    there: {
      plan: base?.price.metadata.plan,
      status: there.status,
      ends: there.cancel_at_period_end,
      until: base?.current_period_end,
    },
    pending: there.pending_update,
    paid: paid.length,
    card: (await read(person, 'card')).last4,
    cards: cards.map(card => (card.card as unknown as { last4: string }).last4), // as: a card of the provider
  }
}

/** How it stands when what a point cuts off has happened, or not. */
const wanted = (point: Point, done: boolean) => {
  const card = !changes(point) && done ? '4444' : '4242'
  const plan = changes(point) && done ? 'startup_yearly' : 'scale'
  return { here: { plan }, pending: null, paid: changes(point) && done ? 2 : 1, card, cards: [card] }
}

async function expectState(point: Point, done: boolean) {
  const person = invariant(people.get(point), point)
  // Nobody asks for it: the job that looks after the attempt finds what the provider has done.
  await expect.poll(() => stateOf(person), { timeout: 60_000 }).toMatchObject(wanted(point, done))
  const { here, there } = await stateOf(person)
  expect(here).toEqual(there)
}

describe('killed while a plan or a card is changed: everything or nothing, and then the next try works [F-01] [T-62]', () => {
  it.each(points)('%s: %s', { timeout: slow }, async (point, outcome) => {
    await expectState(point, outcome === 'everything')
    expect((await ask(server.url, point, invariant(people.get(point), point))).status).toBe(200)
    await expectState(point, true)
  })
})
