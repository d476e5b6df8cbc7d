import { expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'
import { lifetimes } from '../../identity/session-lifetimes.ts'

const { call, people, clock, db } = await makeTestApp()
test('servers of the version before open sessions as before while they are still running', async () => {
  const { id, email } = await people.verified()
  const opened = clock.now()
  opened.setHours(opened.getHours() + 1)
  const { rows } = await db.asOwnerOfJobs(
    `select enter($1, null, 'password', (select password_hash from users where id = $1), true, gen_random_uuid(), $2,
      false, null, 'a browser', '192.0.2.9', $2, $3, $3, $3, null, null, $4) as entered`,
    [id, Buffer.alloc(32, 7), opened, JSON.stringify(lifetimes)],
  )
  expect(rows).toMatchObject([{ entered: { opened: { new_device: true, found: { email } } } }])
  const kept = await db.asOwnerOfJobs(
    `select m.last_login_at = $2 as noted, d.network from memberships m join devices d on d.user_id = m.user_id
      where m.user_id = $1 and d.browser_hash = $3`,
    [id, opened, Buffer.alloc(32, 7)],
  )
  expect(kept.rows).toEqual([{ noted: true, network: '192.0.2.9' }])
})

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
