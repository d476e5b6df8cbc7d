import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshEmail, password } from '../../../test/harness.ts'
import { paymentsOf } from '../../../test/payments.ts'
import { startServer } from '../../../test/process.ts'
import { must } from '../../lib/must.ts'

/** Points at which the server kills itself with signal 9 while it charges a card, and what must come of it. */
const paid = [
  ['after_attempt_commit', 'nothing'],
  ['after_customer', 'nothing'],
  ['after_card', 'nothing'],
  ['after_provider_subscription', 'everything'],
  ['before_record_commit', 'everything'],
  ['after_record_commit', 'everything'],
] as const
const free = [
  ['free:before_commit', null],
  ['free:after_commit', 'free'],
] as const

/** Starts the real server nine times, which takes a busy machine its time. */
const slow = 240_000

const origin = `http://127.0.0.1:${inject('sandbox').port}`
const payments = paymentsOf(origin)
const people = new Map<string, { token: string; account_id: string }>()
let server: Awaited<ReturnType<typeof startServer>>

const headers = (token?: string) => ({
  'content-type': 'application/json',
  ...(token && { authorization: `Bearer ${token}` }),
})
async function post(url: string, body: unknown, token?: string) {
  const reply = await fetch(url, { method: 'POST', headers: headers(token), body: JSON.stringify(body) })
  const answer = (await reply.json()) as { data: Record<string, never> } // as: tests say what they expect of it
  return { status: reply.status, data: answer.data }
}
async function planOf(token: string) {
  const reply = await fetch(`${server.url}/api/auth`, { headers: headers(token) })
  return ((await reply.json()) as { data: { plan: string | null } }).data.plan // as: the session user
}

/**
 * A verified person for each point, in one database that goes through all the deaths: each server dies at its point,
 * the next one comes up on what is left. Nothing is looked after before the last one, which is there to be asked.
 */
beforeAll(async () => {
  const env = await freshEnv()
  for (const [point] of [...paid, ...free]) {
    // Mails have to leave once, for the people to prove their addresses; after that no jobs run.
    const ROLE = people.size === 0 ? 'all' : 'web'
    const doomed = await startServer({ ...env, ROLE, FAULT: `choose_plan:${point}` })
    if (people.size === 0) await signUpAll(doomed.url)
    const { token } = must(people.get(point), point)
    const body = point.startsWith('free:')
      ? { plan: 'free' }
      : { plan: 'startup_yearly', token: await payments.card() }
    await expect(post(`${doomed.url}/api/account/plan`, body, token)).rejects.toThrow()
    expect(await doomed.exited).toBe('SIGKILL')
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

const signUpAll = (url: string) =>
  Promise.all([...paid, ...free].map(async ([point]) => people.set(point, await verified(url))))

async function verified(url: string) {
  const email = freshEmail('crash')
  const user = await post(`${url}/api/account`, {
    first_name: 'Mara',
    last_name: 'Okafor',
    email,
    password,
  })
  const inbox = await fetch(
    `${origin}/sandbox/inbox/wait?to=${encodeURIComponent(email)}&after=0&timeout=20000`,
  )
  const { data } = (await inbox.json()) as { data: { links: string[] }[] } // as: the sandbox's answer
  const link = data[0]?.links.find(address => address.includes('token=')) ?? ''
  const token = new URL(link).searchParams.get('token')
  const session = await post(`${url}/api/user/verify`, { token }, user.data.token)
  return session.data as unknown as { token: string; account_id: string } // as: the session user
}

async function freshEnv(): Promise<Record<string, string>> {
  const base = inject('databaseUrl')
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'plinth-billing-crash-'))
  return { DATA_DIR, SETTLE_AFTER_SECONDS: '1', ...(base && { DATABASE_URL: await freshDatabase(base) }) }
}

async function freshDatabase(base: string): Promise<string> {
  const name = `plinth_crash_${process.pid}_${Math.random().toString(36).slice(2)}`
  const client = new pg.Client(base)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(base)
  url.pathname = `/${name}`
  return url.href
}

async function ledgerOf({ account_id }: { account_id: string }) {
  const customers = await payments.list('/v1/customers', {})
  const mine = customers.filter(one => JSON.stringify(one.metadata).includes(account_id))
  expect(mine.length).toBeLessThanOrEqual(1)
  const ledger = await payments.ledger(mine[0]?.id ?? null)
  return { standing: ledger.standing.length, paid: ledger.paid.length }
}

describe('killed while a plan is chosen: everything or nothing, and then the next choice works [F-01] [T-62]', () => {
  it.each(paid)('%s: %s', { timeout: slow }, async (point, outcome) => {
    const user = must(people.get(point), point)
    if (outcome === 'everything') {
      // Nobody asks for it: the job that looks after the attempt finds what the provider has done.
      await expect.poll(() => planOf(user.token), { timeout: 60_000 }).toBe('startup_yearly')
      expect(await ledgerOf(user)).toEqual({ standing: 1, paid: 1 })
    } else {
      expect(await planOf(user.token)).toBeNull()
      expect(await ledgerOf(user)).toEqual({ standing: 0, paid: 0 })
    }
    const body = { plan: 'startup_yearly', token: await payments.card() }
    const again = await post(`${server.url}/api/account/plan`, body, user.token)
    expect(again).toMatchObject({ status: 200, data: { plan: 'startup_yearly', subscription: 'active' } })
    expect(await ledgerOf(user)).toEqual({ standing: 1, paid: 1 })
  })

  it.each(free)('%s: %s', { timeout: slow }, async (point, plan) => {
    const user = must(people.get(point), point)
    expect(await planOf(user.token)).toBe(plan)
    const again = await post(`${server.url}/api/account/plan`, { plan: 'free' }, user.token)
    expect(again).toMatchObject({ status: 200, data: { plan: 'free', subscription: 'active' } })
  })
})
