import { readFileSync } from 'node:fs'
import type { SessionUser } from '@plinth/contract'
import { createClient } from '@redis/client'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { afterAll, inject, onTestFinished, TestRunner, vi } from 'vitest'
import { makeApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { type Db, openDb } from '../src/db/pool.ts'
import { rolesOf } from '../src/db/roles.ts'
import { openMail } from '../src/integrations/mail/mailer.ts'
import { openQueue } from '../src/jobs/queue.ts'
import type { Times } from '../src/lib/deadline.ts'
import { makeLog } from '../src/log.ts'
import { makeServices } from '../src/services.ts'
import { startWorkers } from '../src/workers.ts'
import { acquireSharedDb } from './harness/shared-db.ts'

/**
 * Starts the whole server on its own database; external services are the sandbox. Closes at the end of the file, the
 * `describe` or the test that calls it.
 * @param env overrides of the test environment
 * @param logTo receives the log lines
 * @param times time limits for bodies and replies
 */
export async function makeTestApp(
  env: Record<string, string> = {},
  logTo?: { write: (line: string) => void },
  times?: Times,
) {
  const closing: (() => unknown)[] = []
  closeAtEnd(closing)
  const own = await createTestDatabase()
  const config = await testConfig(env)
  const clock = makeClock()
  const log = makeLog(config.logLevel, logTo)
  closing.unshift(own.drop)
  const db = await openTestDb(own, 10)
  closing.unshift(() => db.close())
  // New jobs start at once. Polling only finds delayed jobs, and each poll costs time.
  const queue = openQueue(db, log, { workers: true, byTheClock: false, pollingSeconds: 2 })
  const services = makeServices({ config, db, queue, log, now: clock.now })
  const app = await makeApp({ services, db, readiness: { draining: false }, ...(times && { times }) })
  const mailer = openMail({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    supportEmail: config.supportEmail,
    log,
  })
  closing.unshift(
    () => app.close(),
    () => queue.stop(),
    () => mailer.close(),
  )
  await queue.start()
  await startWorkers(queue, services, mailer)
  return {
    app,
    db,
    services,
    config,
    /** URL of the database for other processes; null on the embedded database. */
    databaseUrl: own.url,
    clock,
    queue,
    call: apiCaller(app),
    people: people(app, db, config.sandboxUrl ?? ''),
  }
}

/**
 * Calls all functions in order, even when one fails, because the next file runs in the same process. Call it before the
 * first await, while the current suite is known.
 */
export function closeAtEnd(closing: (() => unknown)[]) {
  const closeAll = async () => {
    vi.restoreAllMocks()
    const failed: unknown[] = []
    for (const close of closing)
      await Promise.resolve()
        .then(close)
        .catch(error => failed.push(error))
    if (failed.length) throw new AggregateError(failed, 'Could not close resources of a test')
  }
  if (TestRunner.getCurrentTest()) onTestFinished(closeAll)
  else afterAll(closeAll)
}

/** Configuration of the server under test; uses the sandbox of the suite unless `env` overrides it. */
export async function testConfig(env: Record<string, string> = {}) {
  const sandbox = inject('sandbox')
  const redisUrl = await emptyRedisDatabase()
  return parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: `${process.env.TMPDIR ?? '/tmp'}/plinth-test`,
    APP_SECRET: 'a secret for tests, long enough to be taken',
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RATE_LIMIT_FACTOR: '1000',
    SEED_DEMO: '0',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...env,
  })
}

function makeClock() {
  let shift = 0
  let frozen: number | null = null
  return {
    now: () => new Date((frozen ?? Date.now()) + shift),
    /** Stops the clock, so that a slow machine does not affect times. */
    freeze() {
      frozen = Date.now()
    },
    /** Moves the clock forward. */
    add(ms: number) {
      shift += ms
    },
  }
}

/** A copy of the migrated template, or a new database on the PostgreSQL server under test. */
export async function createTestDatabase(): Promise<{
  url: string | null
  /** Reads the copy: forty megabytes, which only who starts a database needs. */
  template?: () => Uint8Array
  drop(): Promise<void>
}> {
  const base = inject('databaseUrl')
  if (!base) {
    const file = inject('template')
    return { url: null, template: file ? () => readFileSync(file) : undefined, drop: async () => {} }
  }
  const name = `plinth_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(base, `create database ${name}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  const { app, system } = rolesOf(name)
  const drop = async () => {
    for (const statement of dropDatabaseStatements(name)) await onServer(base, statement)
    // They belong to the server, and a database that was never migrated has none.
    await onServer(base, `drop role if exists ${app}, ${system}`)
  }
  return { url: url.href, drop }
}

/**
 * The statements that drop a database which still has connections. `with (force)` would fail for a login that is no
 * superuser whenever an autovacuum worker, which runs as one, is at work there; a plain drop ends that worker.
 */
export function dropDatabaseStatements(name: string): string[] {
  return [
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and backend_type = 'client backend'`,
    `drop database if exists ${name}`,
  ]
}

/** On the suite that counts in Redis: one of the server's numbered databases for each worker, emptied for each file. */
async function emptyRedisDatabase(): Promise<string | null> {
  const base = inject('redisUrl')
  if (!base) return null
  const url = new URL(base)
  url.pathname = `/${Number(process.env.VITEST_POOL_ID ?? 1) % 16}`
  const client = createClient({ url: url.href })
  await client.connect()
  await client.flushDb()
  client.destroy()
  return url.href
}

/** Opens the test database. Reuses the shared embedded engine when no other app of the file holds it. */
export async function openTestDb(
  own: Awaited<ReturnType<typeof createTestDatabase>>,
  poolSize: number,
): Promise<Db> {
  const embedded = own.template ? await acquireSharedDb(own.template) : null
  const template = embedded ? undefined : own.template?.()
  const options = { databaseUrl: own.url, dataDir: null, poolSize, template, embedded }
  try {
    return await openDb({ ...options, migrate: own.url !== null })
  } catch (error) {
    await embedded?.close()
    throw error
  }
}

async function onServer(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Calls the API as a client does. `data` is untyped on purpose, so that tests can check any reply. */
export function apiCaller(app: FastifyInstance) {
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const request: InjectOptions = {
      method,
      url,
      headers: { ...(options.token ? { authorization: `Bearer ${options.token}` } : {}), ...options.headers },
    }
    if (options.body !== undefined) request.payload = options.body as InjectOptions['payload'] // as: tests also send what no client would
    const reply = await app.inject(request)
    const json = String(reply.headers['content-type'] ?? '').includes('json') ? reply.json() : {}
    return { status: reply.statusCode, body: json, data: json.data, headers: reply.headers, text: reply.body }
  }
}

let counter = 0
/** A unique address. Its suffix has only digits, because letters could match a word in a password of a test. */
export const freshEmail = (name = 'person') =>
  `${name}-${process.pid}-${Date.now()}-${counter++}@test.plinth.example`
export const password = 'a-good-password-1'

function people(app: FastifyInstance, db: Db, sandboxUrl: string) {
  const call = apiCaller(app)

  /** Signs up a user who is not verified yet. */
  async function signUp(email = freshEmail(), first_name = 'Mara') {
    const answer = await call('POST', '/api/account', {
      body: { first_name, last_name: 'Okafor', email, password },
    })
    if (answer.status !== 200) throw new Error(`Sign-up answered ${answer.status}: ${answer.text}`)
    const user: SessionUser & { token: string } = answer.data
    return { ...user, email, token: user.token }
  }

  /** The newest mail to an address, waiting for it to arrive. */
  async function mailTo(
    email: string,
    after: string | number = 0,
  ): Promise<{ id: string; subject: string; text: string; html: string; links: string[] }> {
    const reply = await fetch(
      `${sandboxUrl}/sandbox/inbox/wait?to=${encodeURIComponent(email)}&after=${after}&timeout=20000`,
    )
    const { data } = (await reply.json()) as {
      data: { id: string; subject: string; text: string; html: string; links: string[] }[]
    } // as: the sandbox's answer
    const mail = data[0]
    if (!mail) throw new Error(`No mail came to ${email}`)
    return mail
  }

  async function linkToken(email: string, after: string | number = 0) {
    const mail = await mailTo(email, after)
    const link = mail.links.find(address => address.includes('token='))
    return new URL(link ?? 'http://no-link').searchParams.get('token') ?? ''
  }

  /** The secret of the newest invitation to an address. */
  async function inviteSecret(email: string, after: string | number = 0): Promise<string> {
    const { links } = await mailTo(email, after)
    const link = links.find(address => address.includes('/signup/user?'))
    if (!link) throw new Error(`The newest mail to ${email} invites nobody`)
    return new URL(link).searchParams.get('id') ?? ''
  }

  /** Signed up and verified through the mailed link; no plan yet. */
  async function verified(email = freshEmail()) {
    const user = await signUp(email)
    const answer = await call('POST', '/api/user/verify', {
      token: user.token,
      body: { token: await linkToken(email) },
    })
    const session: SessionUser & { token: string } = answer.data
    return { ...session, email }
  }

  /** An owner with the free plan, onboarded. */
  async function owner(email = freshEmail('owner')) {
    const user = await verified(email)
    await call('POST', '/api/account/plan', { token: user.token, body: { plan: 'free' } })
    await call('PATCH', '/api/user', { token: user.token, body: { onboarded: true } })
    return user
  }

  /** Another member of an owner's account, put there directly: how members come is tested in its own place. */
  async function member(of: { account_id: string }, role: 'owner' | 'admin' | 'developer' | 'user') {
    const user = await verified(freshEmail(role))
    const client = await db.pool.connect()
    try {
      await client.query(`begin; set local role ${db.roles.system}`)
      await client.query('insert into memberships (account_id, user_id, role) values ($1, $2, $3)', [
        of.account_id,
        user.id,
        role,
      ])
      await client.query('update users set onboarded_at = now() where id = $1', [user.id])
      await client.query('commit')
    } finally {
      client.release()
    }
    const answer = await call('POST', '/api/auth/switch', {
      token: user.token,
      body: { account: of.account_id },
    })
    const session: SessionUser & { token: string } = answer.data
    return { ...session, email: user.email }
  }

  return { signUp, verified, owner, member, mailTo, linkToken, inviteSecret }
}
