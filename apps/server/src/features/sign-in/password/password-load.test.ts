import { request } from 'node:http'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countVerifications } from '../../../../test/harness/fast-argon2.ts'
import { callServer } from '../../../../test/harness/http-client.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { poolThreads } from '../../../runtime/thread-pool.ts'

const { call, people, db } = await makeTestApp()
const env = await createServerEnv()
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer(env)
})
afterAll(() => server?.stop())

const longest = 'x'.repeat(256)
const megabyte = 'x'.repeat(1024 * 1024)
const signIn = (email: string, word: string) => call('POST', '/api/auth', { body: { email, password: word } })

describe('parallel hashing stays bounded [T-12]', () => {
  test('a password that is too long is refused before it is hashed', async () => {
    const before = countVerifications()
    expect((await signIn(freshEmail(), `${longest}x`)).status).toBe(422)
    expect((await signIn(freshEmail(), megabyte)).status).toBe(413)
    expect(countVerifications()).toBe(before)
  })

  test('500 sign-ins at once: a bounded queue, 503 beyond it, and no 503 counts as a failure', async () => {
    const user = await people.verified()
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => signIn(n % 2 ? user.email : freshEmail(), longest)),
    )
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ headers }) => headers['retry-after'] === '2')).toBe(true)
    const judged = answers.filter(({ status }) => status === 422)
    expect(judged.length + refused.length).toBe(500)
    // Only checked passwords are counted.
    const { rows } = await db.asOwnerOfJobs(
      `select sum(failures)::int as n from login_throttle where key like 'sign_in:network:%'`,
    )
    expect(rows).toEqual([{ n: judged.length }])
    expect((await signIn(user.email, password)).status).toBe(200)
  })

  test('500 sign-ins with 256 characters and with a megabyte: other calls are served, memory is stable', async () => {
    const { url } = server
    const email = freshEmail()
    const person = { first_name: 'Mara', last_name: 'Okafor', email, password }
    const { token } = (await callServer(`${url}/api/account`, 'POST', person)).data
    const health = async () => {
      const live = await fetch(`${url}/live`)
      const session = await callServer(`${url}/api/auth`, 'GET', undefined, token)
      return [live.status, await live.json(), session.data.authenticated]
    }
    // What its first sign-ins load and keep is no part of the flood.
    await Promise.all(Array.from({ length: 20 }, () => post(url, email, longest)))
    const before = await resident(url)

    const isLong = (n: number) => n % 4 === 1
    const flood = Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        post(url, n % 4 < 2 ? email : freshEmail(), isLong(n) ? megabyte : longest),
      ),
    )
    const sizes = []
    for (let look = 0; look < 20; look++) {
      expect(await health()).toEqual([200, { live: true }, true])
      sizes.push(await resident(url))
    }
    const answers = await flood
    sizes.push(await resident(url))
    // A connection that is cut while it still sends is an answer, too.
    const tooLong = answers.filter((_, n) => isLong(n))
    expect(tooLong.filter(answer => answer !== 413 && answer !== 'cut')).toEqual([])
    const within = answers.filter((_, n) => !isLong(n))
    expect(within.filter(answer => answer !== 422 && answer !== 503)).toEqual([])
    expect(within).toContain(503)
    // Hashes at work, and what 500 connections take; the long bodies alone would be 125 MB.
    expect(Math.max(...sizes) - before).toBeLessThan(100 * 1024 * 1024)
  }, 120_000)
})

describe.runIf(process.platform === 'linux')('a server’s pool', () => {
  test('has a thread for each core', async () => {
    const guess = { email: 'nobody@example.com', password }
    const answer = await fetch(`${server.url}/api/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(guess),
    })
    expect(await answer.json()).toMatchObject({ code: 'credentials_wrong' })
    expect(poolThreads(server.pid)).toHaveLength(Math.max(2, availableParallelism()))
  })
})

/** A sign-in by a client that does not wait with its body. @returns the status, or `cut` where the server hung up on it */
function post(url: string, email: string, word: string): Promise<number | 'cut'> {
  const body = JSON.stringify({ email, password: word })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise(resolve => {
    const sent = request(`${url}/api/auth`, { method: 'POST', headers, agent: false }, answer => {
      answer.resume()
      answer.on('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve('cut'))
    sent.end(body)
  })
}

async function resident(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1])
}
