import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../harness/server-process.ts'
import { freshEmail, makeTestApp, password } from '../harness.ts'
import { emailChangeHelpers } from '../sign-in/email-change.ts'
import { linkHelpers } from '../sign-in/magic-and-reset-links.ts'
import { totpCode } from '../sign-in/two-factor.ts'

// The suite's own app is one server, a process beside it the other; both on one PostgreSQL.
const server = await makeTestApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' })
const { call, people, config, databaseUrl } = server
const other = await startServer({
  DATABASE_URL: databaseUrl ?? '',
  RATE_LIMIT_FACTOR: '1',
  TRUST_PROXY: '127.0.0.1',
  APP_SECRET: 'a secret for tests, long enough to be taken',
  DATA_DIR: config.dataDir,
})

afterAll(() => other.stop())
const { signIn, insertTwoFactor } = linkHelpers(server)
const { ask, confirm, confirmation } = emailChangeHelpers(server)
const person = await people.owner()

type Person = Awaited<ReturnType<typeof people.owner>>
const turn = ({ token }: Person, on: boolean) =>
  call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': on } })

/** What ends every other session of a person who does it. */
const ends: [string, (user: Person) => ReturnType<typeof call>][] = [
  [
    'a new password',
    ({ token }) => {
      const body = { oldpassword: password, newpassword: 'lantern-of-9-stones!' }
      return call('PUT', '/api/user/password', { token, body })
    },
  ],
  [
    'the second factor, turned on',
    async user => {
      const code = totpCode((await turn(user, true)).data.secret, new Date())
      return call('POST', '/api/user/2fa/verify', { token: user.token, body: { code } })
    },
  ],
  [
    'the second factor, turned off',
    async user => {
      await insertTwoFactor(user)
      return turn(user, false)
    },
  ],
  [
    'a new address, confirmed',
    async ({ token }) => {
      const email = freshEmail('new')
      await ask(token, email)
      return confirm(token, await confirmation(email))
    },
  ],
]

async function there(
  method: string,
  path: string,
  { token, body, ip }: { token?: string; body?: unknown; ip?: string } = {},
) {
  const reply = await fetch(`${other.url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-forwarded-for': ip ?? '127.0.0.1',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status }
}

describe('two servers on one database [T-19] [F-08]', () => {
  test('a sign-out on one is a 401 on the other at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { data } = await call('POST', '/api/auth', {
        body: { email: person.email, password },
      })
      expect((await there('GET', '/api/user', { token: data.token })).status).toBe(200)
      await call('DELETE', '/api/auth', { token: data.token })
      expect((await there('GET', '/api/user', { token: data.token })).status).toBe(401)
    }
  })

  test('a session ended in the list, and all others, are dead there too', async () => {
    const { email } = person
    const tokens: string[] = []
    for (let n = 0; n < 3; n++)
      tokens.push((await call('POST', '/api/auth', { body: { email, password } })).data.token)
    const [first, ...rest] = tokens
    await there('DELETE', '/api/user/sessions', { token: first ?? '' })
    for (const token of rest) expect((await call('GET', '/api/user', { token })).status).toBe(401)
    expect((await call('GET', '/api/user', { token: first ?? '' })).status).toBe(200)
  })

  test.each(ends)('three old ones are dead on both at once after %s', async (_, end) => {
    const user = await people.owner()
    const signedIn = await Promise.all([1, 2, 3].map(() => signIn(user.email, password)))
    const seen = () =>
      Promise.all(
        signedIn.flatMap(({ data: { token } }) => [
          call('GET', '/api/user', { token }),
          there('GET', '/api/user', { token }),
        ]),
      ).then(answers => answers.map(({ status }) => status))
    expect(await seen()).toEqual(Array(6).fill(200))
    const ended = await end(user)
    expect(ended.status, ended.text).toBe(200)
    expect(await seen()).toEqual(Array(6).fill(401))
  })

  test('of 50 switches by one token on both at once one wins', async () => {
    const { email, account_id: account } = person
    const { data } = await call('POST', '/api/auth', { body: { email, password } })
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const body = { account }
        const { status } =
          n % 2
            ? await call('POST', '/api/auth/switch', { token: data.token, body })
            : await there('POST', '/api/auth/switch', { token: data.token, body })
        return status
      }),
    )
    expect(answers.filter(status => status === 200)).toHaveLength(1)
    expect(answers.filter(status => status === 401)).toHaveLength(49)
  })

  test('guesses are counted together, the very first ones at the same moment too [T-11] [T-79]', async () => {
    for (let round = 0; round < 5; round++) {
      const body = { email: freshEmail(), password: 'not-this-one-1' }
      const ip = `203.0.113.${round}`
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, n) =>
          n % 2
            ? (await call('POST', '/api/auth', { body, headers: { 'x-forwarded-for': ip } })).status
            : (await there('POST', '/api/auth', { body, ip })).status,
        ),
      )
      const through = answers.filter(status => status === 422).length
      expect(through).toBeLessThanOrEqual(7)
      expect(answers.filter(status => status === 429)).toHaveLength(50 - through)
    }
  })
})
