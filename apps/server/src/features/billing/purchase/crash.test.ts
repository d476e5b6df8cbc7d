import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callServer,
  findCustomer,
  payments,
  signUpVerified,
  type VerifiedUser,
} from '../../../../test/harness/http-client.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { freshNumber } from '../../../../test/payments.ts'
import { invariant } from '../../../lib/invariant.ts'

/** Points at which the server kills itself with signal 9 while it charges a card, and what must come of it. */
const paid = [
  ['after_attempt_commit', 'nothing'],
  ['after_customer', 'nothing'],
  ['after_card', 'nothing'],
  ['after_provider_subscription', 'everything'],
  ['before_record_commit', 'everything'],
  ['after_record_commit', 'everything'],
] as const
/** The same where nothing is charged yet: a trial is the card's only one, and the bank was asked before it begins. */
const trial = [['after_trial_claim'], ['after_setup_intent']] as const
const free = [
  ['free:before_commit', null],
  ['free:after_commit', 'free'],
] as const

const all = [...paid, ...trial, ...free]

/** Starts the real server eleven times, which takes a busy machine its time. */
const slow = 240_000

const env = { ...(await createServerEnv()), SETTLE_AFTER_SECONDS: '1' }
const people = new Map<string, VerifiedUser>()
let server: Awaited<ReturnType<typeof startServer>>

const choose = (url: string, body: unknown, token: string) =>
  callServer(`${url}/api/account/plan`, 'POST', body, token)
const planOf = async (token: string): Promise<string | null> =>
  (await callServer(`${server.url}/api/auth`, 'GET', undefined, token)).data.plan ?? null

/**
 * A verified person for each point, in one database that goes through all the deaths: each server dies at its point,
 * the next one comes up on what is left. Nothing is looked after before the last one, which is there to be asked.
 */
beforeAll(async () => {
  for (const [point] of all) {
    // Mails have to leave once, for the people to prove their addresses; after that no jobs run.
    const ROLE = people.size === 0 ? 'all' : 'web'
    const doomed = await startServer({ ...env, ROLE, FAULT: `choose_plan:${point}` })
    if (people.size === 0) await signUpAll(doomed.url)
    const { token } = invariant(people.get(point), point)
    await expect(choose(doomed.url, await wishAt(point), token)).rejects.toThrow()
    expect(await doomed.exited).toBe('SIGKILL')
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

const signUpAll = (url: string) =>
  Promise.all(all.map(async ([point]) => people.set(point, await signUpVerified(url, 'crash'))))

/** One card has one trial: each point has a card of its own. */
const cards = new Map(trial.map(([point]) => [point as string, freshNumber()]))

async function wishAt(point: string) {
  if (point.startsWith('free:')) return { plan: 'free' }
  const card = cards.get(point)
  return { plan: card ? 'startup' : 'startup_yearly', token: await payments.card(card) }
}

async function ledgerOf(user: VerifiedUser) {
  const ledger = await payments.ledger(await findCustomer(user))
  return { standing: ledger.standing.length, paid: ledger.paid.length }
}

describe('killed while a plan is chosen: everything or nothing, and then the next choice works [F-01] [T-62]', () => {
  it.each(paid)('%s: %s', { timeout: slow }, async (point, outcome) => {
    const user = invariant(people.get(point), point)
    if (outcome === 'everything') {
      // Nobody asks for it: the job that looks after the attempt finds what the provider has done.
      await expect.poll(() => planOf(user.token), { timeout: 60_000 }).toBe('startup_yearly')
      expect(await ledgerOf(user)).toEqual({ standing: 1, paid: 1 })
    } else {
      expect(await planOf(user.token)).toBeNull()
      expect(await ledgerOf(user)).toEqual({ standing: 0, paid: 0 })
    }
    const again = await choose(server.url, await wishAt(point), user.token)
    expect(again).toMatchObject({ status: 200, data: { plan: 'startup_yearly', subscription: 'active' } })
    expect(await ledgerOf(user)).toEqual({ standing: 1, paid: 1 })
  })

  it.each(trial)('%s: nothing, and the same card still has its trial', { timeout: slow }, async point => {
    const user = invariant(people.get(point), point)
    expect(await planOf(user.token)).toBeNull()
    expect((await ledgerOf(user)).standing).toBe(0)
    const again = await choose(server.url, await wishAt(point), user.token)
    expect(again).toMatchObject({ status: 200, data: { plan: 'startup', subscription: 'trialing' } })
    expect((await ledgerOf(user)).standing).toBe(1)
  })

  it.each(free)('%s: %s', { timeout: slow }, async (point, plan) => {
    const user = invariant(people.get(point), point)
    expect(await planOf(user.token)).toBe(plan)
    const again = await choose(server.url, { plan: 'free' }, user.token)
    expect(again).toMatchObject({ status: 200, data: { plan: 'free', subscription: 'active' } })
  })
})
