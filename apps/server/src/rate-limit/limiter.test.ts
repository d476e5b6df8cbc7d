import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'

const { call, people, db } = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const signUp = (email: string, ip: string) =>
  call('POST', '/api/account', {
    body: { first_name: 'Mara', last_name: 'Okafor', email, password },
    headers: from(ip),
  })
const mailsTo = async (email: string) =>
  (await db.asOwnerOfJobs('select 1 from mailed_tokens where email = $1', [email])).rows.length

describe('rate limits at their real values [T-79]', () => {
  test('an exceeded limit replies 429 with Retry-After, as plain text in the caller’s language', async () => {
    const ask = () =>
      call('POST', '/api/auth/session/end', {
        body: { token: 'x' },
        headers: { ...from('203.0.113.7'), 'accept-language': 'de' },
      })
    for (let n = 0; n < 60; n++) expect((await ask()).status).toBe(422)
    const refused = await ask()
    expect(refused).toMatchObject({
      status: 429,
      text: expect.stringMatching(
        /^Zu viele Versuche\. Bitte versuchen Sie es in \d+ Minuten noch einmal\.$/,
      ),
    })
    expect(String(refused.headers['content-type'])).toContain('text/plain')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const neighbour = await call('POST', '/api/auth/session/end', {
      body: { token: 'x' },
      headers: from('203.0.113.8'),
    })
    expect(neighbour.status).toBe(422)
  })

  test('only the hop behind the trusted proxy counts: a forged chain changes nothing', async () => {
    const answers = []
    for (let n = 0; n < 61; n++)
      answers.push(
        await call('POST', '/api/auth/session/end', {
          body: { token: 'x' },
          headers: from(`10.0.0.${n}, 192.0.2.44`),
        }),
      )
    expect(answers.at(-1)?.status).toBe(429)
  })

  test.each([
    [
      'an IPv4 address',
      [
        '203.0.113.60',
        '203.0.113.60:#',
        '[203.0.113.60]:443',
        '::ffff:203.0.113.60',
        '[::FFFF:203.0.113.60]:#',
        '198.51.100.#:4711, 203.0.113.60:#',
        '203.0.113.60, 127.0.0.1',
        '203.0.113.60:#, 127.0.0.1:3128',
        '203.0.113.60:#, [::ffff:127.0.0.1]:3128, 127.0.0.1',
      ],
    ],
    [
      'an IPv6 address',
      [
        '2001:db8:60:1::1',
        '[2001:db8:60:1::1]',
        '[2001:DB8:60:1::1]:#',
        '2001:0db8:0060:0001::0001',
        '[2001:db8:60:1::1]:#, 127.0.0.1:3128',
      ],
    ],
    ['no address', ['unknown', 'unknown-#', '_hidden#', '203.0.113.0#', 'unknown-#:80, 127.0.0.1:3128']],
  ])('all spellings of %s in X-Forwarded-For share one rate limit', async (_, spellings) => {
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) {
      const spelling = (spellings[n % spellings.length] ?? '').replaceAll('#', String(n + 1))
      const asked = { body: { token: 'x' }, headers: from(spelling) }
      statuses.push((await call('POST', '/api/auth/session/end', asked)).status)
    }
    expect(statuses).toEqual([...Array(60).fill(422), 429])
  })

  test('addresses of one /64 are one network', async () => {
    const answers = []
    for (let n = 0; n < 61; n++)
      answers.push(
        await call('POST', '/api/auth/session/end', {
          body: { token: 'x' },
          headers: from(`2001:db8:77:1::${n.toString(16)}`),
        }),
      )
    expect(answers.at(-1)?.status).toBe(429)
  })

  test('a signed-in user gets 429 after too many mails to one address [T-72]', async () => {
    const user = await people.signUp()
    const again = async () =>
      (await call('POST', '/api/user/verify/request', { token: user.token, headers: from('192.0.2.9') }))
        .status
    for (let n = 0; n < 5; n++) expect(await again()).toBe(200)
    expect(await again()).toBe(429)
  })

  test('one person can’t have mails sent to ever new addresses [T-72]', async () => {
    const user = await people.signUp()
    const move = () =>
      call('PATCH', '/api/user', {
        token: user.token,
        body: { email: freshEmail('target') },
        headers: from('192.0.2.10'),
      })
    for (let n = 0; n < 20; n++) expect((await move()).status).toBe(200)
    expect((await move()).status).toBe(429)
  })

  test('many sign-ups for one mailbox, by tags too, answer alike and mail twenty times [T-10] [T-72]', async () => {
    const email = freshEmail('target')
    const tagged = (n: number) => email.replace('@', `+${n}@`)
    const addresses = Array.from({ length: 24 }, (_, n) => (n % 2 ? tagged(n) : email))
    const answers = []
    for (const [n, address] of addresses.entries()) answers.push(await signUp(address, `198.51.100.${n}`))
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200))
    const shapes = answers.map(({ data, headers }) => [Object.keys(data), Object.keys(headers).sort()])
    expect(shapes.every(shape => JSON.stringify(shape) === JSON.stringify(shapes[0]))).toBe(true)
    const sent = await Promise.all([...new Set(addresses)].map(mailsTo))
    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(20)
  })

  test('a stranger who signs up with an address again and again silences only their own network [T-11] [T-72]', async () => {
    const email = freshEmail('target')
    for (let n = 0; n < 7; n++) await signUp(email, '198.51.100.200')
    expect(await mailsTo(email)).toBe(5)
    const own = await signUp(email, '198.51.100.201')
    expect(await mailsTo(email)).toBe(6)
    const again = (ip: string) =>
      call('POST', '/api/user/verify/request', { token: own.data.token, headers: from(ip) })
    expect((await again('198.51.100.201')).status).toBe(200)
    // In the stranger's own network, too: a mail once more is none of what sign-ups draw on.
    expect((await again('198.51.100.200')).status).toBe(200)
  })

  test('an exceeded limit for links does not block the second sign-in step [T-11]', async () => {
    const ip = '198.51.100.210'
    const look = () =>
      call('POST', '/api/auth/magic/verify', { body: { token: 'x'.repeat(43) }, headers: from(ip) })
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n++) statuses.add((await look()).status)
    expect([...statuses]).toContain(429)
    const step = await call('POST', '/api/auth/otp', {
      body: { jwt: 'x'.repeat(43), code: '123456' },
      headers: from(ip),
    })
    expect(step.status).toBe(422)
  })

  test('unknown sign-in tokens are refused with 429 after a few hundred attempts', async () => {
    const statuses = []
    for (let n = 0; n < 301; n++)
      statuses.push(
        (
          await call('POST', '/api/auth', {
            body: { token: 'x'.repeat(43) },
            headers: from('198.51.100.220'),
          })
        ).status,
      )
    expect(statuses.slice(0, 300)).not.toContain(429)
    expect(statuses.at(-1)).toBe(429)
  })

  test('one user signs in sixty times an hour', async () => {
    const { email } = await people.verified()
    const statuses = []
    for (let n = 0; n < 61; n++)
      statuses.push(
        (
          await call('POST', '/api/auth', {
            body: { email, password },
            headers: from(`198.51.101.${n}`),
          })
        ).status,
      )
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200))
    expect(statuses.at(-1)).toBe(429)
  })
})
