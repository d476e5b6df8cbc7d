import { describe, expect, test } from 'vitest'
import { countVerifications, useFullCost } from '../../../test/argon2.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

// What a flood does depends on what a hash costs.
useFullCost()
const { call, people, db } = await makeTestApp()

const signIn = (email: string, word: string) => call('POST', '/api/auth', { body: { email, password: word } })

describe('hashing is no lever [T-12]', () => {
  test('what is too long is refused before it is hashed', async () => {
    const before = countVerifications()
    expect((await signIn(freshEmail(), 'x'.repeat(257))).status).toBe(422)
    expect((await signIn(freshEmail(), 'x'.repeat(1024 * 1024))).status).toBe(413)
    expect(countVerifications()).toBe(before)
  })

  test('500 sign-ins at once: a bounded queue, 503 beyond it, everybody else served meanwhile, and no 503 is held against anybody', async () => {
    const user = await people.verified()
    const longest = 'x'.repeat(256)
    let served = 0
    const flood = Promise.all(
      Array.from({ length: 500 }, async (_, n) => {
        const answer = await signIn(n % 2 ? user.email : freshEmail(), longest)
        if (n % 25 === 0 && (await call('GET', '/live')).status === 200) served++
        return answer
      }),
    )
    const meanwhile = await Promise.all(
      Array.from({ length: 20 }, () => call('GET', '/api/auth', { token: user.token })),
    )
    expect(meanwhile.every(({ data }) => data.authenticated)).toBe(true)
    const answers = await flood
    expect(served).toBe(20)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ headers }) => headers['retry-after'] === '2')).toBe(true)
    const judged = answers.filter(({ status }) => status === 422)
    expect(judged.length + refused.length).toBe(500)
    // What was judged is what is counted, no more.
    const { rows } = await db.asOwnerOfJobs(
      `select sum(failures)::int as n from brakes where key like 'sign_in:network:%'`,
    )
    expect(rows).toEqual([{ n: judged.length }])
    expect((await signIn(user.email, password)).status).toBe(200)
    // Hundreds of real hashes, on a machine that may have other work.
  }, 120_000)
})
