import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'
import { coarseNetwork, deviceOf } from '../../identity/device-labels.ts'
import { lifetimes } from '../../identity/session-lifetimes.ts'

const { call, people, clock, db } = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0) Gecko/20100101 Firefox/147.0'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

type From = { ip?: string; agent?: string; cookie?: string | undefined }
async function signIn(email: string, { ip = '127.0.0.1', agent = firefox, cookie }: From = {}) {
  const answer = await call('POST', '/api/auth', {
    body: { email, password },
    headers: { 'x-forwarded-for': ip, 'user-agent': agent, ...(cookie ? { cookie } : {}) },
  })
  const token: string = answer.data?.token
  return { token, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0], answer }
}
const live = async (token: string) => (await call('GET', '/api/auth', { token })).data.authenticated
const list = async (token: string) => (await call('GET', '/api/user/sessions', { token })).data
const day = 86_400_000

describe('the list of devices [call:GET /api/user/sessions]', () => {
  test('lists each with labels, a coarse network and times; the current one first', async () => {
    const user = await people.verified()
    await call('DELETE', '/api/user/sessions', { token: user.token })
    const { token } = await signIn(user.email, { ip: '203.0.113.77', agent: chrome })
    const shown = await list(token)
    expect(shown).toHaveLength(2)
    expect(shown[0]).toEqual({
      id: expect.any(String),
      current: true,
      browser: 'Chrome',
      system: 'Windows',
      network: '203.0.113.x',
      method: 'password',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
    })
    expect(shown[1]).toMatchObject({ current: false, method: 'verification' })
    expect(JSON.stringify(shown)).not.toContain('203.0.113.77')
  })

  test('contains no ended, idle or expired sessions and none of other users', async () => {
    const [user, other] = [await people.verified(), await people.verified()]
    const second = await signIn(user.email)
    expect(await list(user.token)).toHaveLength(2)
    await call('DELETE', '/api/auth', { token: second.token })
    expect(await list(user.token)).toHaveLength(1)
    clock.add(7 * day)
    const fresh = await signIn(user.email)
    expect(await list(fresh.token)).toHaveLength(1)
    const ids = (await list((await signIn(other.email)).token)).map(({ id }: { id: string }) => id)
    expect(ids).not.toContain((await list(fresh.token))[0].id)
  })

  test('an unverified user gets the list, a visitor gets 401', async () => {
    expect(await list((await people.signUp()).token)).toHaveLength(1)
    expect((await call('GET', '/api/user/sessions')).status).toBe(401)
  })

  test('a replaced session keeps its start time', async () => {
    const user = await people.owner()
    const [before] = await list(user.token)
    clock.add(3_600_000)
    const { data } = await call('POST', '/api/auth/switch', {
      token: user.token,
      body: { account: user.account_id },
    })
    const [after] = await list(data.token)
    expect(after.created_at).toBe(before.created_at)
    expect(after.id).not.toBe(before.id)
  })
})

describe('ending sessions [T-19]', () => {
  test('one session: its next call is refused, the others continue [call:DELETE /api/user/sessions/{id}]', async () => {
    const user = await people.verified()
    const [second, third] = [await signIn(user.email), await signIn(user.email)]
    const [, ...others] = await list(third.token)
    const target = others.at(-1)
    expect((await call('DELETE', `/api/user/sessions/${target.id}`, { token: third.token })).status).toBe(200)
    expect([await live(user.token), await live(second.token), await live(third.token)]).toEqual([
      false,
      true,
      true,
    ])
    expect((await call('DELETE', `/api/user/sessions/${target.id}`, { token: third.token })).status).toBe(404)
    expect(
      await rows(`select 1 from audit_log where action = 'session.ended' and target = $1`, [target.id]),
    ).toHaveLength(1)
  })

  test('a session of another user returns not found and does not end [T-30]', async () => {
    const [user, other] = [await people.verified(), await people.verified()]
    const [{ id }] = await list(other.token)
    expect((await call('DELETE', `/api/user/sessions/${id}`, { token: user.token })).status).toBe(404)
    expect((await call('DELETE', '/api/user/sessions/none', { token: user.token })).status).toBe(404)
    await call('DELETE', '/api/user/sessions', { token: user.token })
    expect(await live(other.token)).toBe(true)
  })

  test('all others: only this session stays, and pending second steps end [call:DELETE /api/user/sessions]', async () => {
    const user = await people.verified()
    const others = await Promise.all(Array.from({ length: 3 }, () => signIn(user.email)))
    const ended = await call('DELETE', '/api/user/sessions', { token: user.token })
    expect(ended.data).toEqual({ ended: 3 })
    for (const { token } of others) expect(await live(token)).toBe(false)
    expect(await list(user.token)).toHaveLength(1)
    expect((await call('DELETE', '/api/user/sessions', { token: user.token })).data).toEqual({ ended: 0 })
  })
})

describe('signing out [T-08]', () => {
  test('has the browser clear its storage, and only when it has worked', async () => {
    const user = await people.verified()
    const first = await call('DELETE', '/api/auth', { token: user.token })
    expect(first.headers['clear-site-data']).toBe('"storage"')
    const second = await call('DELETE', '/api/auth', { token: user.token })
    expect(second.status).toBe(401)
    expect(second.headers['clear-site-data']).toBeUndefined()
  })
})

describe('lifetime of a session [V7.1.1]', () => {
  const second = 1000
  const minute = 60 * second

  test('of a user: exactly seven days without a call', async () => {
    const [a, b] = [await people.verified(), await people.verified()]
    clock.add(7 * day - 5 * second)
    expect(await live(a.token)).toBe(true)
    clock.add(5 * second)
    expect(await live(b.token)).toBe(false)
    expect(await live(a.token)).toBe(true)
  })

  test('of a user: at most thirty days, also when it is used and replaced', async () => {
    const user = await people.owner()
    let { token } = user
    for (let n = 0; n < 5; n++) {
      clock.add(6 * day - minute)
      const switched = await call('POST', '/api/auth/switch', { token, body: { account: user.account_id } })
      expect(switched.status).toBe(200)
      token = switched.data.token
    }
    clock.add(4 * minute)
    expect(await live(token)).toBe(true)
    clock.add(2 * minute)
    expect(await live(token)).toBe(false)
  })

  async function master() {
    const user = await people.owner()
    await rows('insert into masters (user_id) values ($1)', [user.id])
    return (await signIn(user.email)).token
  }

  test('of a master: fifteen minutes without a call', async () => {
    const [a, b] = [await master(), await master()]
    clock.add(15 * minute - 5 * second)
    expect(await live(a)).toBe(true)
    clock.add(5 * second)
    expect(await live(b)).toBe(false)
    clock.add(13 * minute)
    expect(await live(a)).toBe(true)
  })

  test('the sessions of a new master get the lifetime of masters', async () => {
    const [idle, used] = [await people.owner(), await people.owner()]
    for (const { id } of [idle, used]) await rows('insert into masters (user_id) values ($1)', [id])
    const [{ seconds }] = (await rows(
      'select extract(epoch from max(expires_at - created_at))::int as seconds from sessions where user_id = $1',
      [used.id],
    )) as [{ seconds: number }] // as: one row of one column
    expect(seconds).toBe(lifetimes.master.absolute)
    expect(await live(used.token)).toBe(true)
    clock.add(lifetimes.master.idle * second)
    expect(await live(idle.token)).toBe(false)
  })

  test('of a master: at most eight hours', async () => {
    const token = await master()
    for (let n = 0; n < 47; n++) {
      clock.add(10 * minute)
      expect(await live(token)).toBe(true)
    }
    clock.add(10 * minute)
    expect(await live(token)).toBe(false)
  })
})

test.each([
  [firefox, 'Firefox', 'macOS'],
  [chrome, 'Chrome', 'Windows'],
  [`${chrome} Edg/143.0.0.0`, 'Edge', 'Windows'],
  [`${chrome} OPR/125.0`, 'Opera', 'Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0', 'Firefox', 'Linux'],
  ['curl/8.10', 'curl', null],
  ['<b>nothing</b>', null, null],
  ['', null, null],
])('%s is %s on %s', (agent, browser, system) => {
  expect(deviceOf(agent)).toEqual({ browser, system })
})

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['2001:db8:1:2::/64', '2001:db8:1:x'],
  ['', null],
  ['nonsense', null],
])('the network %s is shown as %s', (network, shown) => {
  expect(coarseNetwork(network)).toBe(shown)
})
