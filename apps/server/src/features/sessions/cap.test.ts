import { expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'

const { call, people, clock } = await makeTestApp()

const alive = async (token: string): Promise<boolean> =>
  (await call('GET', '/api/auth', { token })).data.authenticated

test('a user has a hundred sessions at most: the ten used longest ago make room [V7.1.2]', async () => {
  const { email, token } = await people.verified()
  const neighbour = await people.verified()
  const signIn = async (): Promise<string> =>
    (await call('POST', '/api/auth', { body: { email, password } })).data.token
  const tokens = []
  for (let n = 0; n < 99; n++) {
    clock.add(60_000)
    tokens.push(await signIn())
  }
  // Used again just now, the oldest of them is no longer the one used longest ago.
  clock.add(600_000)
  expect(await alive(token)).toBe(true)
  await signIn()
  const gone = tokens.slice(0, 10)
  expect(await Promise.all(gone.map(alive))).toEqual(gone.map(() => false))
  expect(await Promise.all([token, ...tokens.slice(10, 12)].map(alive))).toEqual([true, true, true])
  expect((await call('GET', '/api/user/sessions', { token })).data).toHaveLength(91)
  expect(await alive(neighbour.token)).toBe(true)
}, 60_000)
