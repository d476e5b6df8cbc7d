import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freshEmail, password } from '../../../test/harness.ts'
import { paymentsOf } from '../../../test/payments.ts'
import { startServer } from '../../../test/process.ts'
import { must } from '../../lib/must.ts'

/**
 * Points at which the server kills itself with signal 9 while an account with a paid plan is closed, and what must come
 * of it. The last two are in the job, after the account is closed.
 */
const points = [
  ['before_begin', 'open'],
  ['after_note', 'open'],
  ['after_account', 'open'],
  ['before_commit', 'open'],
  ['after_commit', 'closed'],
  ['after_cancel', 'closed'],
  ['after_customer', 'closed'],
] as const

const inJob = new Set<string>(['after_cancel', 'after_customer'])

/** Starts the real server eleven times, which takes a busy machine its time. */
const slow = 300_000

const origin = `http://127.0.0.1:${inject('sandbox').port}`
const payments = paymentsOf(origin)
type Person = { email: string; token: string; account_id: string; customer: string }
const people = new Map<string, Person>()
let server: Awaited<ReturnType<typeof startServer>>

async function call(url: string, method: string, body: unknown, token?: string) {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const answer = (await reply.json()) as { data: Record<string, never> } // as: tests say what they expect of it
  return { status: reply.status, data: answer.data }
}

/** One database through all the deaths; each server dies at its point, the next one comes up on what is left. */
beforeAll(async () => {
  const env = await freshEnv()
  const first = await startServer(env)
  for (const [point] of points) people.set(point, await paying(first.url))
  await first.stop()
  for (const [point] of points) {
    const { token } = must(people.get(point), point)
    const FAULT = `close_account:${point}`
    const close = (url: string) => call(`${url}/api/account`, 'DELETE', { password }, token)
    if (inJob.has(point)) {
      const web = await startServer({ ...env, ROLE: 'web' })
      expect((await close(web.url)).status).toBe(200)
      await web.stop()
      // It dies of the job, with nobody asking for anything.
      const worker = await startServer({ ...env, FAULT }, { expectReady: false })
      expect(await worker.exited).toBe('SIGKILL')
    } else {
      const doomed = await startServer({ ...env, ROLE: 'web', FAULT })
      await expect(close(doomed.url)).rejects.toThrow()
      expect(await doomed.exited).toBe('SIGKILL')
    }
  }
  server = await startServer(env)
}, slow)
afterAll(() => server?.stop())

async function paying(url: string): Promise<Person> {
  const email = freshEmail('closing')
  const person = { first_name: 'Mara', last_name: 'Okafor', email, password }
  const user = await call(`${url}/api/account`, 'POST', person)
  const inbox = await fetch(
    `${origin}/sandbox/inbox/wait?to=${encodeURIComponent(email)}&after=0&timeout=20000`,
  )
  const { data } = (await inbox.json()) as { data: { links: string[] }[] } // as: the sandbox's answer
  const link = data[0]?.links.find(address => address.includes('token=')) ?? ''
  const body = { token: new URL(link).searchParams.get('token') }
  const session = await call(`${url}/api/user/verify`, 'POST', body, user.data.token)
  const { token, account_id } = session.data as unknown as { token: string; account_id: string } // as: the session user
  const plan = { plan: 'startup_yearly', token: await payments.card() }
  expect((await call(`${url}/api/account/plan`, 'POST', plan, token)).status).toBe(200)
  const customers = await payments.list('/v1/customers', {})
  const customer = customers.find(one => JSON.stringify(one.metadata).includes(account_id))
  return { email, token, account_id, customer: String(customer?.id) }
}

async function freshEnv(): Promise<Record<string, string>> {
  const base = inject('databaseUrl')
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'plinth-closing-crash-'))
  return { DATA_DIR, SETTLE_AFTER_SECONDS: '1', ...(base && { DATABASE_URL: await freshDatabase(base) }) }
}

async function freshDatabase(base: string): Promise<string> {
  const name = `plinth_closing_${process.pid}_${Math.random().toString(36).slice(2)}`
  const client = new pg.Client(base)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(base)
  url.pathname = `/${name}`
  return url.href
}

const standing = async ({ customer }: Person) => (await payments.ledger(customer)).standing.length
const signIn = async ({ email }: Person) =>
  (await call(`${server.url}/api/auth`, 'POST', { email, password })).status

describe('T-25 killed while an account is closed: it is fully open, or fully closed and the subscription canceled [F-01]', () => {
  test.each(points)('%s: %s', { timeout: slow }, async (point, outcome) => {
    const person = must(people.get(point), point)
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
      const again = await call(`${server.url}/api/account`, 'DELETE', { password }, person.token)
      expect(again.status).toBe(200)
    }
    expect(await signIn(person)).toBe(422)
    await expect.poll(() => standing(person), { timeout: 60_000 }).toBe(0)
    await expect
      .poll(() => payments.api('GET', `/v1/customers/${person.customer}`), { timeout: 60_000 })
      .toMatchObject({ deleted: true })
  })
})
