import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { freshEmail, password } from '../../../test/harness.ts'
import { startServer } from '../../../test/process.ts'
import { startEmbedded } from '../../db/embedded.ts'

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

test.each(points)('killed at %s, a sign-up leaves everything or nothing [F-01]', async (fault, done) => {
  const base = inject('databaseUrl')
  const dataDir = await mkdtemp(join(tmpdir(), 'plinth-crash-'))
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(base ? { DATABASE_URL: await freshDatabase(base) } : {}),
  }
  const email = freshEmail('crash')
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ first_name: 'Mara', last_name: 'Okafor', email, password }),
  }
  const doomed = await startServer({ ...env, FAULT: fault })
  await expect(fetch(`${doomed.url}/api/account`, request)).rejects.toThrow()
  expect(await doomed.exited).toBe('SIGKILL')

  expect(await rowsOf(env, email)).toEqual(
    done
      ? { users: 1, accounts: 1, memberships: 1, sessions: 1, tokens: 1, mails: 1 }
      : { users: 0, accounts: 0, memberships: 0, sessions: 0, tokens: 0, mails: 0 },
  )

  const server = await startServer(env)
  const signIn = await fetch(`${server.url}/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(signIn.status).toBe(done ? 200 : 422)
  if (done) expect(await mailsTo(email)).toBe(1)
  await server.stop()
})

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

/** What is in the database of the dead server, read without the server. */
async function rowsOf(env: Record<string, string>, email: string) {
  const embedded = env.DATABASE_URL ? null : await startEmbedded({ dataDir: env.DATA_DIR ?? null })
  const client = new pg.Client(embedded ? embedded.connection : { connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select (select count(*)::int from users where email = $1) users, (select count(*)::int from accounts) accounts,
         (select count(*)::int from memberships) memberships, (select count(*)::int from sessions) sessions,
         (select count(*)::int from mailed_tokens) tokens, (select count(*)::int from pgboss.job where name = 'mail.send') mails`,
      [email],
    )
    return rows[0]
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
