import { describe, expect, onTestFinished, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'
import { networkOf } from './limits.ts'

const { call, people, db } = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
const from = (ip: string) => ({ 'x-forwarded-for': ip })

describe('limits at their real values [T-11] [T-79]', () => {
  test('tries on one address end in a 429 with Retry-After, in plain text and the asker’s language, from any network', async () => {
    const email = freshEmail()
    const answers = []
    for (let n = 0; n < 22; n++) {
      answers.push(
        await call('POST', '/api/auth', {
          body: { email, password },
          headers: { ...from(`198.51.100.${n}`), 'accept-language': 'de' },
        }),
      )
    }
    expect(answers.slice(0, 20).every(({ status }) => status === 422)).toBe(true)
    const refused = answers.at(-1)
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('Zu viele Versuche') })
    expect(String(refused?.headers['content-type'])).toContain('text/plain')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('one network over many addresses is stopped too, and its neighbour is not', async () => {
    let last = 0
    for (let n = 0; n < 61; n++)
      last = (
        await call('POST', '/api/auth', {
          body: { email: freshEmail(), password },
          headers: from('203.0.113.7'),
        })
      ).status
    expect(last).toBe(429)
    expect(
      (
        await call('POST', '/api/auth', {
          body: { email: freshEmail(), password },
          headers: from('203.0.113.8'),
        })
      ).status,
    ).toBe(422)
  })

  test('only the hop behind the trusted proxy counts: a forged chain changes nothing', async () => {
    let last = 0
    for (let n = 0; n < 61; n++) {
      last = (
        await call('POST', '/api/auth', {
          body: { email: freshEmail(), password },
          headers: from(`10.0.0.${n}, 192.0.2.44`),
        })
      ).status
    }
    expect(last).toBe(429)
  })

  test('mails to one address are capped [T-72]', async () => {
    const user = await people.signUp()
    const answers = []
    for (let n = 0; n < 6; n++)
      answers.push(
        (await call('POST', '/api/user/verify/request', { token: user.token, headers: from('192.0.2.9') }))
          .status,
      )
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('the limiter that can’t count refuses', async () => {
    const user = await people.signUp()
    const signIn = () =>
      call('POST', '/api/auth', { body: { email: user.email, password }, headers: from('192.0.2.77') })
    expect((await signIn()).status).toBe(200)
    const rename = (from: string, to: string) =>
      db.pool.query(`reset role; alter table ${from} rename to ${to}; set role plinth_app`)
    await rename('rate_limits', 'rate_limits_gone')
    onTestFinished(async () => {
      await rename('rate_limits_gone', 'rate_limits')
    })
    expect(await signIn()).toMatchObject({
      status: 503,
      body: { code: 'busy' },
      headers: { 'retry-after': '2' },
    })
  })

  test('no address and no network is kept where calls are counted', async () => {
    const email = freshEmail()
    await call('POST', '/api/auth', { body: { email, password }, headers: from('192.0.2.78') })
    const { rows } = await db.asOwnerOfJobs('select key from rate_limits')
    const keys = JSON.stringify(rows)
    expect(keys).toContain('sign_in:address:')
    expect(keys).not.toContain(email)
    expect(keys).not.toContain('192.0.2.78')
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
