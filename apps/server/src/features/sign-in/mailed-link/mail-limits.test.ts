import { expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'

const app = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
const { call, people } = app
const { link } = linkHelpers(app)
const request = (email: string, network: number, cookie?: string) =>
  call('POST', '/api/auth/magic', {
    body: { email },
    headers: { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1`, ...(cookie ? { cookie } : {}) },
  })
const inboxOf = async (email: string) => {
  const inbox = `${app.config.sandboxUrl}/sandbox/inbox?limit=1000&to=${encodeURIComponent(email)}`
  return ((await (await fetch(inbox)).json()) as { data: { links?: string[]; subject: string }[] }).data // as: the sandbox's answer
}
const mailsTo = async (email: string): Promise<number> => (await inboxOf(email)).length

test('a thousand requests from many networks send 24 mails, with the same reply [T-72]', async () => {
  const email = freshEmail('bombed')
  const body = { first_name: 'Mara', last_name: 'Okafor', email, password }
  await call('POST', '/api/account', { body, headers: { 'x-forwarded-for': '10.200.0.1' } })
  const first = await people.mailTo(email)
  const answers = new Set<string>()
  for (let n = 0; n < 1000; n++) {
    const { status, text, headers } = await request(email, n % 250)
    answers.add(JSON.stringify([status, text, Object.keys(headers).sort()]))
  }
  expect([...answers]).toHaveLength(1)
  await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toBe(25)
  // A later request of another user is served: nothing of these is queued.
  const other = await people.signUp()
  await link('magic', other.email)
  expect(await mailsTo(email)).toBe(25)
  expect(first.subject).toBe('Verify your email')
}, 60_000)

test('one network can use only its part of the limit: the owner gets a link from another [T-11] [T-72]', async () => {
  const user = await people.signUp()
  for (let n = 0; n < 6; n++) await request(user.email, 300)
  await expect.poll(() => mailsTo(user.email), { timeout: 20_000 }).toBe(5)
  await request(user.email, 301)
  await expect.poll(() => mailsTo(user.email), { timeout: 20_000 }).toBe(6)
})

/** How many mails with a link to sign in with. */
const linksTo = async (email: string): Promise<number> =>
  (await inboxOf(email)).filter(({ links }) => links?.some(url => url.includes('/magic?token='))).length

test('after others used the limit of an address, its owner’s own browser still gets a link [T-11] [T-72]', async () => {
  const user = await people.verified()
  const cookieOf = (answer: { headers: Record<string, unknown> }) =>
    String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const entered = await call('POST', '/api/auth', { body: { email: user.email, password } })
  const stranger = await call('POST', '/api/account', {
    body: { first_name: 'Eve', last_name: 'Null', email: user.email, password },
    headers: { 'x-forwarded-for': '10.201.0.1' },
  })
  for (let n = 0; n < 60; n++) await request(user.email, 400 + n)
  await expect.poll(() => linksTo(user.email), { timeout: 30_000 }).toBe(24)
  const claimed = await request(user.email, 500, cookieOf(stranger))
  const own = await request(user.email, 501, cookieOf(entered))
  const { status, text } = await request(user.email, 502)
  for (const answer of [claimed, own]) expect([answer.status, answer.text]).toEqual([status, text])
  await expect.poll(() => linksTo(user.email), { timeout: 20_000 }).toBe(25)
  for (let n = 0; n < 6; n++) await request(user.email, 510 + n, cookieOf(entered))
  await expect.poll(() => linksTo(user.email), { timeout: 20_000 }).toBe(28)
  const other = await people.signUp()
  await link('magic', other.email)
  expect(await linksTo(user.email)).toBe(28)
}, 60_000)
