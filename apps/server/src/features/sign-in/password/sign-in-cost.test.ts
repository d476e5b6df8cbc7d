import { describe, expect, test } from 'vitest'
import { countVerifications } from '../../../../test/harness/fast-argon2.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'

const { call, people } = await makeTestApp()

describe('sign-in costs the same for every refusal [T-10]', () => {
  test('a verified, an unverified and an unknown address cost the same number of hashes', async () => {
    const cost = async (email: string) => {
      const before = countVerifications()
      await call('POST', '/api/auth', { body: { email, password: 'not-this-one-1' } })
      return countVerifications() - before
    }
    const verified = await people.verified()
    const unproven = freshEmail()
    for (let n = 0; n < 3; n++) await people.signUp(unproven)
    const both = await people.verified()
    await people.signUp(both.email)
    const costs = [
      await cost(freshEmail()),
      await cost(verified.email),
      await cost(unproven),
      await cost(both.email),
    ]
    expect(new Set(costs).size, costs.join()).toBe(1)
    const before = countVerifications()
    expect((await call('POST', '/api/auth', { body: { email: verified.email, password } })).status).toBe(200)
    expect(countVerifications() - before).toBe(1)
  })
})
