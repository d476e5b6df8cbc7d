import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'

const { call, people, clock, db } = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const day = 86_400_000
let network = 0
const elsewhere = () => `198.51.100.${++network}`

async function signIn(email: string, ip: string, cookie?: string) {
  const answer = await call('POST', '/api/auth', {
    body: { email, password },
    headers: {
      'x-forwarded-for': ip,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
      ...(cookie ? { cookie } : {}),
    },
  })
  return { token: answer.data.token as string, cookie: String(answer.headers['set-cookie']).split(';')[0] } // as: a test reads the expected shape
}
const live = async (token: string) => (await call('GET', '/api/auth', { token })).data.authenticated
const end = (token: string) => call('POST', '/api/auth/session/end', { body: { token } })
/** Jobs that mail about a new device. They are written with the session. */
const countNewDeviceJobs = async (user: { id: string }) =>
  (
    await rows(
      `select 1 from pgboss.job where name = 'sessions.new_device'
       and (data ->> 'session_id')::uuid in (select id from sessions where user_id = $1)`,
      [user.id],
    )
  ).length

/** A user with a sign-in on a new device, and its mail. */
async function userWithNewDevice() {
  const user = await people.owner()
  const seen = await people.mailTo(user.email)
  const stranger = await signIn(user.email, elsewhere())
  const mail = await people.mailTo(user.email, seen.id)
  const link = mail.links.find(address => address.includes('/signin/end?token='))
  return { user, stranger, mail, secret: new URL(link ?? 'http://no-link').searchParams.get('token') ?? '' }
}

describe('a sign-in on a new device [T-88]', () => {
  test('mails device, network and time to the user, with a link that ends the sign-in', async () => {
    const { user, stranger, mail, secret } = await userWithNewDevice()
    expect(mail.subject).toBe('A new device signed in')
    expect(mail.text).toContain('Firefox on Linux')
    expect(mail.text).toContain('198.51.100.x')
    expect(mail.text).toMatch(/\d{4}.* UTC/)
    expect(mail.text).not.toContain(`198.51.100.${network}`)
    expect(
      await rows(`select 1 from audit_log where action = 'session.new_device' and user_id = $1`, [user.id]),
    ).toHaveLength(1)
    expect((await end(secret)).status).toBe(200)
    expect(await live(stranger.token)).toBe(false)
  })

  test('the link ends every session and pending second step, because there may be more [T-19]', async () => {
    const { user, stranger, secret } = await userWithNewDevice()
    const more = [
      await signIn(user.email, elsewhere(), stranger.cookie),
      await signIn(user.email, `198.51.100.${network}`),
      await signIn(user.email, '127.0.0.1'),
    ]
    await rows(`insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'sealed', now())`, [
      user.id,
    ])
    const waiting = await signIn(user.email, elsewhere(), stranger.cookie)
    expect((await end(secret)).status).toBe(200)
    for (const { token } of [user, stranger, ...more]) expect(await live(token)).toBe(false)
    expect(await rows('select 1 from challenges where user_id = $1', [user.id])).toEqual([])
    const answer = await call('POST', '/api/auth/otp', { body: { jwt: waiting.token, code: '123456' } })
    expect(answer.body.code).toBe('challenge_expired')
    // What the stranger used since is theirs; what the user had before is not.
    expect(await rows('select network from devices where user_id = $1', [user.id])).toEqual([
      { network: '127.0.0.1' },
    ])
  })

  test('[call:POST /api/auth/session/end] the link works once, also in 50 parallel calls [T-13]', async () => {
    const { secret } = await userWithNewDevice()
    const answers = await Promise.all(Array.from({ length: 50 }, () => end(secret)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'link_expired')).toHaveLength(49)
  })

  test('the link ends the sign-in also after its token was replaced', async () => {
    const { user, stranger, secret } = await userWithNewDevice()
    const switched = await call('POST', '/api/auth/switch', {
      token: stranger.token,
      body: { account: user.account_id },
    })
    expect((await end(secret)).status).toBe(200)
    expect(await live(switched.data.token)).toBe(false)
  })

  test('after its session was ended a browser counts as new', async () => {
    const { user, stranger, secret } = await userWithNewDevice()
    await end(secret)
    const again = await signIn(user.email, elsewhere(), stranger.cookie)
    expect(again.token).toBeTruthy()
    expect(await countNewDeviceJobs(user)).toBe(1)
  })

  test('the link expires after seven days; invented links are refused', async () => {
    const { secret } = await userWithNewDevice()
    clock.add(7 * day)
    expect((await end(secret)).body.code).toBe('link_expired')
    clock.add(-7 * day)
    expect((await end('made-up')).body.code).toBe('link_expired')
    expect((await end('')).status).toBe(422)
  })

  test('its token is refused elsewhere, and other tokens are refused here', async () => {
    const { user, secret } = await userWithNewDevice()
    expect(await live(secret)).toBe(false)
    expect(
      (await call('POST', '/api/user/verify', { token: user.token, body: { token: secret } })).status,
    ).toBe(422)
    expect((await end(user.token)).status).toBe(422)
  })
})

describe('no new device', () => {
  test('the first session, and the one after the verification of the address', async () => {
    const user = await people.verified()
    expect(await countNewDeviceJobs(user)).toBe(0)
  })

  test('a known browser in another network, another browser in a known one', async () => {
    const user = await people.owner()
    const home = await signIn(user.email, '127.0.0.1')
    await signIn(user.email, elsewhere(), home.cookie)
    await signIn(user.email, '127.0.0.1')
    expect(await countNewDeviceJobs(user)).toBe(0)
  })

  test('a right password without the required second factor: no session, no device, no mail', async () => {
    const user = await people.owner()
    await rows(`insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'sealed', now())`, [
      user.id,
    ])
    const before = await rows('select count(*)::int as n from devices where user_id = $1', [user.id])
    const answer = await call('POST', '/api/auth', {
      body: { email: user.email, password },
      headers: { 'x-forwarded-for': elsewhere() },
    })
    expect(answer.data['2fa_required']).toBe(true)
    expect(await rows('select count(*)::int as n from devices where user_id = $1', [user.id])).toEqual(before)
    expect(await countNewDeviceJobs(user)).toBe(0)
  })
})

describe('the first device of all [T-88]', () => {
  const dormant = async () => {
    const user = await people.owner()
    await rows('delete from devices where user_id = $1', [user.id])
    return user
  }

  test('is mailed when the user signed up more than a day ago', async () => {
    const [user, fresh] = [await dormant(), await dormant()]
    await rows('update users set verified_at = $2 where id = $1', [
      user.id,
      new Date(clock.now().getTime() - 2 * day),
    ])
    for (const { email } of [user, fresh]) await signIn(email, elsewhere())
    expect([await countNewDeviceJobs(user), await countNewDeviceJobs(fresh)]).toEqual([1, 0])
  })

  test('is not mailed for the session of a new password', async () => {
    const user = await people.owner()
    await rows('update users set verified_at = $2 where id = $1', [
      user.id,
      new Date(clock.now().getTime() - 2 * day),
    ])
    const seen = await people.mailTo(user.email)
    await call('POST', '/api/auth/password/reset/request', { body: { email: user.email } })
    const jwt = await people.linkToken(user.email, seen.id)
    const reset = await call('POST', '/api/auth/password/reset', {
      body: { jwt, password: 'lantern-of-9-stones!' },
    })
    expect(reset.status).toBe(200)
    expect(await countNewDeviceJobs(user)).toBe(0)
  })
})

test('at thirty devices ten are deleted, those used once first', async () => {
  const user = await people.owner()
  const home = await signIn(user.email, '127.0.0.1')
  clock.add(1000)
  await signIn(user.email, '127.0.0.1', home.cookie)
  const counts: unknown[] = []
  for (let n = 0; n < 31; n++) {
    clock.add(1000)
    await signIn(user.email, '127.0.0.1')
    counts.push(...(await rows('select count(*)::int as n from devices where user_id = $1', [user.id])))
  }
  expect(counts).not.toContainEqual({ n: 31 })
  const full = counts.findIndex(devices => isDeepStrictEqual(devices, { n: 30 }))
  expect(counts[full + 1]).toEqual({ n: 20 })
  await signIn(user.email, elsewhere(), home.cookie)
  expect(await countNewDeviceJobs(user)).toBe(0)
})
