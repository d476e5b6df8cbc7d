import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callServer,
  findCustomer,
  payments,
  signUpVerified,
  type VerifiedUser,
} from '../../../../test/harness/http-client.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { password } from '../../../../test/harness.ts'
import { invariant } from '../../../lib/invariant.ts'

/**
 * Points at which the server kills itself with signal 9 while an account with a paid plan is closed, and what must come
 * of it. The last two are in the job, after the account is closed.
 */
const points = [
  ['before_begin', 'open'],
  ['after_closure_saved', 'open'],
  ['after_account', 'open'],
  ['before_commit', 'open'],
  ['after_commit', 'closed'],
  ['after_cancel', 'closed'],
  ['after_customer', 'closed'],
] as const

const inJob = new Set<string>(['after_cancel', 'after_customer'])

/** Starts the real server ten times, which takes a busy machine its time. */
const slow = 300_000

const env = { ...(await createServerEnv()), SETTLE_AFTER_SECONDS: '1' }
type Person = VerifiedUser & { customer: string }
const people = new Map<string, Person>()
let server: Awaited<ReturnType<typeof startServer>>

const close = (url: string, point: string) =>
  callServer(`${url}/api/account`, 'DELETE', { password }, invariant(people.get(point), point).token)

/** One database for all crash points: each server starts on the data of the one before. */
beforeAll(async () => {
  for (const [point] of points.filter(([each]) => !inJob.has(each))) {
    // Mails have to leave once, for the people to prove their addresses; after that no jobs run.
    const ROLE = people.size === 0 ? 'all' : 'web'
    const doomed = await startServer({ ...env, ROLE, FAULT: `close_account:${point}` })
    if (people.size === 0) await payAll(doomed.url)
    await expect(close(doomed.url, point)).rejects.toThrow()
    expect(await doomed.exited).toBe('SIGKILL')
  }
  for (const point of inJob) {
    // Each just before its worker: of several jobs at hand all are taken at once, and another could be the one cut off.
    const web = await startServer({ ...env, ROLE: 'web' })
    expect((await close(web.url, point)).status).toBe(200)
    await web.stop()
    // The job kills it, without a request.
    const worker = await startServer({ ...env, FAULT: `close_account:${point}` }, { expectReady: false })
    expect(await worker.exited).toBe('SIGKILL')
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

async function payAll(url: string) {
  for (const [point] of points) people.set(point, await paying(url))
}

async function paying(url: string): Promise<Person> {
  const person = await signUpVerified(url, 'closing')
  const plan = { plan: 'startup_yearly', token: await payments.card() }
  expect((await callServer(`${url}/api/account/plan`, 'POST', plan, person.token)).status).toBe(200)
  return { ...person, customer: invariant(await findCustomer(person), 'a customer') }
}

const standing = async ({ customer }: Person) => (await payments.ledger(customer)).standing.length
const signIn = async ({ email }: Person) =>
  (await callServer(`${server.url}/api/auth`, 'POST', { email, password })).status

describe('T-25 killed while an account is closed: it is fully open, or fully closed and the subscription canceled [F-01]', () => {
  test.each(points)('%s: %s', { timeout: slow }, async (point, outcome) => {
    const person = invariant(people.get(point), point)
    if (outcome === 'open') {
      const session = await fetch(`${server.url}/api/auth`, {
        headers: { authorization: `Bearer ${person.token}` },
      })
      expect(await session.json()).toMatchObject({
        data: { authenticated: true, plan: 'startup_yearly', subscription: 'active' },
      })
      expect(await signIn(person)).toBe(200)
      expect(await standing(person)).toBe(1)
      // And the next try closes it.
      const again = await callServer(`${server.url}/api/account`, 'DELETE', { password }, person.token)
      expect(again.status).toBe(200)
    }
    expect(await signIn(person)).toBe(422)
    await expect.poll(() => standing(person), { timeout: 60_000 }).toBe(0)
    await expect
      .poll(() => payments.api('GET', `/v1/customers/${person.customer}`), { timeout: 60_000 })
      .toMatchObject({ deleted: true })
  })
})
