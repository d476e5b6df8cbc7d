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

/** Crash points, each with a user whose call dies there, and whether the plan must be in force afterwards. */
const points = [
  // First, because the first server also makes the purchase that this one changes.
  { point: 'plan_change:after_update', plan: 'startup_yearly', from: 'scale', completes: true },
  { point: 'attempt:after_commit', plan: 'startup_yearly', from: null, completes: false },
  { point: 'first_plan:after_trial_claim', plan: 'startup', from: null, completes: false },
  { point: 'first_plan:after_subscription', plan: 'startup_yearly', from: null, completes: true },
] as const
type Point = (typeof points)[number]

/** Starts the real server five times. */
const slow = 240_000

const env = { ...(await createServerEnv()), SETTLE_AFTER_SECONDS: '1' }
const people = new Map<string, VerifiedUser>()
/** A card has one trial, so the retry must use the same number. */
const trialCard = freshNumber()
let server: Awaited<ReturnType<typeof startServer>>

/**
 * All crashes happen in one database: each server dies at its point, and the next one starts on the same
 * data.
 */
beforeAll(async () => {
  for (const each of points) {
    // The first server runs jobs, because sign-up mails have to leave. The others run none: only the last one repairs.
    const ROLE = people.size === 0 ? 'all' : 'web'
    const dying = await startServer({ ...env, ROLE, FAULT: each.point })
    if (people.size === 0) for (const one of points) people.set(one.point, await prepare(dying.url, one))
    await expect(choose(dying.url, each)).rejects.toThrow()
    expect(await dying.exited).toBe('SIGKILL')
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

async function prepare(url: string, { from }: Point): Promise<VerifiedUser> {
  const user = await signUpVerified(url, 'crash')
  if (from) {
    const body = { plan: from, token: await payments.card() }
    expect((await callServer(`${url}/api/account/plan`, 'POST', body, user.token)).status).toBe(200)
  }
  return user
}

const userOf = ({ point }: Point) => invariant(people.get(point), point)

async function choose(url: string, { point, plan, from }: Point) {
  const { token } = invariant(people.get(point), point)
  const card = await payments.card(plan === 'startup' ? trialCard : undefined)
  return from
    ? callServer(`${url}/api/account/plan`, 'PATCH', { plan }, token)
    : callServer(`${url}/api/account/plan`, 'POST', { plan, token: card }, token)
}

async function stateOf(each: Point) {
  const user = userOf(each)
  const { standing, paid } = await payments.ledger(await findCustomer(user))
  const { plan } = (await callServer(`${server.url}/api/auth`, 'GET', undefined, user.token)).data
  return { plan: plan ?? null, subscriptions: standing.length, payments: paid.length }
}

const expected = ({ plan, from }: Point, completed: boolean) => ({
  plan: completed ? plan : from,
  subscriptions: completed || from ? 1 : 0,
  payments: (from ? 1 : 0) + (completed && plan !== 'startup' ? 1 : 0),
})

describe('a server killed while a plan is paid: all or nothing, and a retry works [F-01] [T-62]', () => {
  it.each(points)('$point', { timeout: slow }, async each => {
    // No user asks for it: the settle job finds what the provider has completed.
    await expect.poll(() => stateOf(each), { timeout: 60_000 }).toEqual(expected(each, each.completes))
    expect(await choose(server.url, each)).toMatchObject({ status: 200, data: { plan: each.plan } })
    expect(await stateOf(each)).toEqual(expected(each, true))
  })
})
