import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import {
  enableTwoFactor,
  expectTwoFactorChallenge,
  totpCode,
  wrongTotpCode,
} from '../../../../test/sign-in/two-factor.ts'

const server = await makeTestApp()
const { call, people, clock, db } = server
const minute = 60_000

const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const signIn = (email: string) => call('POST', '/api/auth', { body: { email, password } })
const begin = async (email: string): Promise<string> => (await signIn(email)).data.token
const otp = (jwt: string, code: string) => call('POST', '/api/auth/otp', { body: { jwt, code } })
const somebody = async () => enableTwoFactor(server, await people.owner())
const codes = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => (status === 200 ? 'in' : (body.code ?? String(status)))).sort()
/** It is used up for the others, of which as many are looked at as in any hour (T-15). */
const oneOfFifty = [...Array(29).fill('429'), ...Array(20).fill('code_wrong'), 'in']

describe('signing in with a code [call:POST /api/auth/otp]', () => {
  test('a code of the app opens the session [entity:sign-in-response]', async () => {
    const person = await somebody()
    const first = await signIn(person.email)
    expect(first.data).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), '2fa_required': true })
    const answer = await otp(first.data.token, person.next())
    expect(answer.data).toMatchObject({ name: 'Mara Okafor', permission: 'owner', plan: 'free' })
    expect(
      await rows(
        'select method, second_factor from sessions where user_id = $1 order by created_at desc limit 1',
        [answer.data.id],
      ),
    ).toEqual([{ method: 'password', second_factor: true }])
  })

  test('a wrong code is refused at its field, in the caller’s language', async () => {
    const person = await somebody()
    const answer = await call('POST', '/api/auth/otp', {
      body: { jwt: await begin(person.email), code: wrongTotpCode(person.secret, clock.now()) },
      headers: { 'accept-language': 'de' },
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'code_wrong', inputError: 'code' } })
    expect(answer.body.message).toMatch(/^Dieser Code stimmt nicht/)
  })

  test('a challenge expires after ten minutes, and an unknown one is refused', async () => {
    const person = await somebody()
    const jwt = await begin(person.email)
    clock.add(10 * minute)
    for (const one of [jwt, 'x'.repeat(43), person.token])
      expect((await otp(one, person.next())).body.code).toBe('challenge_expired')
  })

  test('[V6.6.2] a challenge of one user takes no code of another', async () => {
    const [one, two] = [await somebody(), await somebody()]
    expect((await otp(await begin(one.email), two.next())).body.code).toBe('code_wrong')
  })
})

describe('the backup code', () => {
  test('signs in once in any spelling; then it is deleted and the user gets a mail [T-88]', async () => {
    const person = await somebody()
    const typed = person.backup_code
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    const opened = await otp(await begin(person.email), typed)
    expect(opened.status).toBe(200)
    expect(opened.body.message).toMatch(/^You’ve used your backup code/)
    await expectMail(server, person.email, 'Your backup code was used to sign in')
    expect((await call('GET', '/api/user/2fa', { token: opened.data.token })).data.has_backup_code).toBe(
      false,
    )
    expect((await otp(await begin(person.email), person.backup_code)).body).toMatchObject({
      code: 'code_wrong',
      message: expect.stringContaining('Enter the whole backup code'),
    })
    const byApp = await otp(await begin(person.email), person.next())
    expect([byApp.status, byApp.body.message]).toEqual([200, undefined])
  })

  test('[T-13] of 50 parallel sign-ins with it one succeeds', async () => {
    const person = await somebody()
    const challenges = await Promise.all(Array.from({ length: 50 }, () => begin(person.email)))
    const answers = await Promise.all(challenges.map(jwt => otp(jwt, person.backup_code)))
    expect(codes(answers)).toEqual(oneOfFifty)
  })
})

describe('used twice', () => {
  test('[T-16] [V6.5.1] a code works once, on whichever challenge, and no older one after it', async () => {
    const person = await somebody()
    clock.add(minute)
    const [older, code] = [totpCode(person.secret, clock.now(), -1), totpCode(person.secret, clock.now())]
    expect((await otp(await begin(person.email), code)).status).toBe(200)
    expect((await otp(await begin(person.email), code)).body.code).toBe('code_wrong')
    expect((await otp(await begin(person.email), older)).body.code).toBe('code_wrong')
  })

  test('[T-16] the same code for 50 parallel challenges: one signs in', async () => {
    const person = await somebody()
    const challenges = await Promise.all(Array.from({ length: 50 }, () => begin(person.email)))
    const code = person.next()
    const answers = await Promise.all(challenges.map(jwt => otp(jwt, code)))
    expect(codes(answers)).toEqual(oneOfFifty)
  })

  test('[T-13] of 50 parallel uses of one challenge one signs in, and none later', async () => {
    const person = await somebody()
    const jwt = await begin(person.email)
    const code = person.next()
    const answers = await Promise.all(Array.from({ length: 50 }, () => otp(jwt, code)))
    const outcomes = codes(answers)
    expect(outcomes.filter(one => one === 'in')).toHaveLength(1)
    expect(outcomes.filter(one => one === 'challenge_expired')).toHaveLength(49)
    expect((await otp(jwt, person.next())).body.code).toBe('challenge_expired')
  })
})

describe('guessing', () => {
  test('[T-15] [V6.6.3] of 1000 parallel codes in one challenge five are checked; the right one is too late', async () => {
    const person = await somebody()
    const jwt = await begin(person.email)
    const wrong = wrongTotpCode(person.secret, clock.now())
    const answers = await Promise.all(Array.from({ length: 1000 }, () => otp(jwt, wrong)))
    expect(answers.filter(({ body }) => body.code === 'code_wrong')).toHaveLength(4)
    const spent = answers.filter(({ body }) => /Too many wrong codes/.test(body.message))
    expect(spent).toHaveLength(1)
    const [counted] = await rows(
      'select failures from two_factors where user_id = (select id from users where email = $1)',
      [person.email],
    )
    expect(counted).toEqual({ failures: 5 })
    expect((await otp(jwt, person.next())).body.code).toBe('challenge_expired')
  })

  test('[T-15] over 200 challenges 20 codes are checked in an hour; then even right codes are refused', async () => {
    const person = await somebody()
    // A few at a time: more passwords would exceed the queue and get 503.
    const challenges: string[] = []
    while (challenges.length < 200)
      challenges.push(...(await Promise.all(Array.from({ length: 8 }, () => begin(person.email)))))
    const wrong = [wrongTotpCode(person.secret, clock.now()), '0000-0000-0000-0000-0000-0000']
    const answers = await Promise.all(
      challenges.flatMap(jwt => Array.from({ length: 5 }, (_, n) => otp(jwt, wrong[n % 2] ?? ''))),
    )
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(20)
    // A call that waits too long for the database is repeated: its code was not checked.
    for (const { status } of answers) expect([422, 429, 503]).toContain(status)
    const jwt = await begin(person.email)
    for (const code of [person.next(), person.backup_code]) {
      const refused = await otp(jwt, code)
      expect([refused.status, refused.text]).toEqual([
        429,
        expect.stringMatching(
          /^Too many wrong codes\. No code is accepted for now\. Please try again in \d\d minutes/,
        ),
      ])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    }
    // The hour is the user's, for a step-up by code as well.
    clock.add(11 * minute)
    const body = { '2fa_enabled': false, code: person.next() }
    expect((await call('PUT', '/api/user/2fa', { token: person.token, body })).status).toBe(429)
    clock.add(60 * minute)
    expect((await otp(await begin(person.email), person.next())).status).toBe(200)
    expect(
      await rows(
        "select count(*)::int as count from audit_log where action = 'two_factor.guessed' and user_id = (select id from users where email = $1)",
        [person.email],
      ),
    ).toEqual([{ count: 1 }])
  })

  test('right codes do not count towards the limit', async () => {
    const person = await somebody()
    for (let n = 0; n < 25; n++)
      expect((await otp(await begin(person.email), person.next())).status).toBe(200)
  })
})

describe('the challenge', () => {
  const every = Object.values(contract).flatMap(table => Object.values(table)) as Endpoint[] // as: the tables hold endpoints
  const pathOf = (endpoint: Endpoint) =>
    endpoint.path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')

  test.each(
    every.filter(({ needs }) => needs !== 'public').map(one => [`${one.method} ${one.path}`, one] as const),
  )('[T-14] is no session at %s', async (_name, endpoint) => {
    const person = await begun
    const answer = await call(endpoint.method, pathOf(endpoint), {
      token: person,
      ...(endpoint.method === 'GET' ? {} : { body: {} }),
    })
    expect(answer.status).toBe(401)
  })
  const begun = somebody().then(({ email }) => begin(email))

  test('[T-14] [T-13] nor is it the token of any link', async () => {
    const jwt = await begun
    for (const endpoint of every.filter(({ needs, body }) => needs === 'public' && body)) {
      if (endpoint.path === '/api/auth/otp') continue
      const answer = await call(endpoint.method, pathOf(endpoint), { token: jwt, body: { token: jwt, jwt } })
      expect(answer.data?.token ?? null, endpoint.path).toBeNull()
      expect(answer.data?.authenticated ?? false, endpoint.path).toBe(false)
    }
    expect((await call('GET', '/api/auth', { token: jwt })).data).toEqual({ authenticated: false })
  })

  test('and a session’s token is no challenge', async () => {
    const person = await somebody()
    expect((await otp(person.token, person.next())).body.code).toBe('challenge_expired')
  })
})

describe('[T-17] every sign-in method asks for the second factor', () => {
  test('password', async () => {
    const person = await somebody()
    await expectTwoFactorChallenge(server, await signIn(person.email), person)
  })

  test('verification of the address', async () => {
    const person = await somebody()
    await rows('update users set verified_at = null where email = $1', [person.email])
    await rows(
      'update sessions set second_factor = false where user_id = (select id from users where email = $1)',
      [person.email],
    )
    const seen = (await expectMail(server, person.email, 'Two-factor sign-in is on')).id
    await call('POST', '/api/user/verify/request', { token: person.token })
    const body = { token: await people.linkToken(person.email, seen) }
    const answer = await call('POST', '/api/user/verify', { token: person.token, body })
    await expectTwoFactorChallenge(server, answer, person)
  })

  test('another account, which opens after the code', async () => {
    const host = await people.owner()
    const member = await people.member(host, 'user')
    const person = await enableTwoFactor(server, member)
    const own = member.accounts.find(({ id }) => id !== host.account_id)?.id
    await rows('update sessions set second_factor = false where user_id = $1', [member.id])
    const answer = await call('POST', '/api/auth/switch', { token: person.token, body: { account: own } })
    expect((await expectTwoFactorChallenge(server, answer, person)).data.account_id).toBe(own)
  })

  test('a session with a second factor does not ask again after a switch of account', async () => {
    const person = await somebody()
    const { data } = await call('GET', '/api/auth', { token: person.token })
    const answer = await call('POST', '/api/auth/switch', {
      token: person.token,
      body: { account: data.account_id },
    })
    expect(answer.data).not.toHaveProperty('2fa_required')
    expect(answer.status).toBe(200)
  })
})
