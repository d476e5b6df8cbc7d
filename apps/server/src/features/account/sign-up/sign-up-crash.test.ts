import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { freshEmail, password } from '../../../../test/harness.ts'
import { startEmbedded } from '../../../db/embedded/start.ts'

/** Points at which the server kills itself with signal 9, and whether the sign-up must be there afterwards. */
const points = [
  ['sign_up:before_begin', false],
  ['sign_up:after_user', false],
  ['sign_up:after_account', false],
  ['sign_up:after_membership', false],
  ['sign_up:after_session', false],
  ['sign_up:before_commit', false],
  ['sign_up:after_commit', true],
] as const

/** Starts the real server eight times, which takes a busy machine its time. */
const slow = 240_000
const env = await createServerEnv()
const json = { 'content-type': 'application/json' }

type Found = {
  signIn: number
  rows?: { users: number; accounts: number; memberships: number; sessions: number; tokens: number }
}
const found = new Map<string, Found>()
const emails = new Map(points.map(([point]) => [point, freshEmail('crash')]))
/** Accounts carry the first name of who signed up: that tells whose they are when the user is not there. */
const nameAt = (point: string) => `At ${point}`
let replayed = { status: 0, token: '', session: 0 }
let mailJobs = 0

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })

/**
 * One database for all crash points: each server starts on the data of the one before, tries to sign that person in,
 * and crashes at the next point.
 */
beforeAll(async () => {
  let last: { point: string; signUp: Record<string, string>; key: Record<string, string> } | undefined
  const look = async (url: string) => {
    if (!last) return
    const { point, signUp } = last
    const answer = await post(`${url}/api/auth`, { email: signUp.email, password })
    found.set(point, { signIn: answer.status })
  }
  for (const [point] of points) {
    const server = await startServer({ ...env, FAULT: point })
    await look(server.url)
    const email = emails.get(point) ?? ''
    const signUp = { first_name: nameAt(point), last_name: 'Okafor', email, password }
    last = { point, signUp, key: { 'idempotency-key': crypto.randomUUID() } }
    await expect(post(`${server.url}/api/account`, signUp, last.key)).rejects.toThrow()
    expect(await server.exited).toBe('SIGKILL')
  }
  const server = await startServer(env)
  if (last) {
    // A caller who was cut off after the commit repeats the call with the same key first.
    const again = await post(`${server.url}/api/account`, last.signUp, last.key)
    const { data } = (await again.json()) as { data?: { token: string } } // as: a session, or a refusal
    const token = data?.token ?? ''
    const session = await fetch(`${server.url}/api/auth`, { headers: { authorization: `Bearer ${token}` } })
    replayed = { status: again.status, token, session: session.status }
    await look(server.url)
    await mailsTo(last.signUp.email ?? '')
  }
  await server.stop()
  await readRows()
}, slow)

describe('a server killed during a sign-up leaves everything or nothing [F-01]', () => {
  test.each(points)('%s', (point, done) => {
    expect(found.get(point)).toEqual(
      done
        ? // The second session is that of the sign-in with which this test looks.
          { signIn: 200, rows: { users: 1, accounts: 1, memberships: 1, sessions: 2, tokens: 1 } }
        : { signIn: 422, rows: { users: 0, accounts: 0, memberships: 0, sessions: 0, tokens: 0 } },
    )
  })

  test('no other crash leaves rows without a user, or sends a mail', () => {
    expect(found.get('all')?.rows).toEqual({ users: 1, accounts: 1, memberships: 1, sessions: 2, tokens: 1 })
    expect(mailJobs).toBe(1)
  })

  test('the same key gets the first reply: one user, one mail', async () => {
    expect(replayed).toMatchObject({ status: 200, session: 200 })
    expect(found.get('sign_up:after_commit')?.rows?.users).toBe(1)
    expect(await mailsTo(emails.get('sign_up:after_commit') ?? '')).toBe(1)
  })
})

/** The rows of each person and in total, read without the server. */
async function readRows() {
  const embedded = env.DATABASE_URL ? null : await startEmbedded({ dataDir: env.DATA_DIR })
  const client = new pg.Client(embedded ? embedded.connection : { connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    for (const [point] of points) {
      const { rows } = await client.query(
        `with mine as (select id from users where email = $1)
         select (select count(*)::int from mine) users,
           (select count(*)::int from accounts where strpos(name, $2) > 0) accounts,
           (select count(*)::int from memberships where user_id in (select id from mine)) memberships,
           (select count(*)::int from sessions where user_id in (select id from mine)) sessions,
           (select count(*)::int from mailed_tokens where user_id in (select id from mine)) tokens`,
        [emails.get(point), nameAt(point)],
      )
      found.set(point, { signIn: 0, ...found.get(point), rows: rows[0] })
    }
    const { rows } = await client.query(
      `select (select count(*)::int from users) users, (select count(*)::int from accounts) accounts,
         (select count(*)::int from memberships) memberships, (select count(*)::int from sessions) sessions,
         (select count(*)::int from mailed_tokens) tokens`,
    )
    found.set('all', { signIn: 0, rows: rows[0] })
    const jobs = await client.query("select count(*)::int from pgboss.job where name = 'mail.send'")
    mailJobs = jobs.rows[0].count
  } finally {
    await client.end()
    await embedded?.close()
  }
}

async function mailsTo(email: string): Promise<number> {
  const inbox = `http://127.0.0.1:${inject('sandbox').port}/sandbox/inbox`
  await fetch(`${inbox}/wait?to=${encodeURIComponent(email)}&after=0&timeout=20000`)
  const { data } = (await (await fetch(`${inbox}?to=${encodeURIComponent(email)}`)).json()) as {
    data: unknown[]
  } // as: the sandbox's answer
  return data.length
}
