import { describe, expect, test, vi } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

// Counted, not replaced: the real hash runs.
const { hashes } = vi.hoisted(() => ({ hashes: vi.fn() }))
vi.mock('@node-rs/argon2', async importOriginal => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>()
  return { ...real, verify: hashes.mockImplementation(real.verify) }
})

const { call, people } = await makeTestApp()

describe('sign-in costs the same for every refusal [T-10]', () => {
  test('a known, an unproven and an unknown address take as many hashes', async () => {
    const cost = async (email: string) => {
      const before = hashes.mock.calls.length
      await call('POST', '/api/auth', { body: { email, password: 'not-this-one-1' } })
      return hashes.mock.calls.length - before
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
    const before = hashes.mock.calls.length
    expect((await call('POST', '/api/auth', { body: { email: verified.email, password } })).status).toBe(200)
    expect(hashes.mock.calls.length - before).toBe(1)
  })
})
