import { readFileSync } from 'node:fs'
import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeTestApp, password } from '../harness.ts'
import { enableTwoFactor, expectTwoFactorChallenge } from './two-factor.ts'

/**
 * Every call whose reply can contain a session token, with the test that checks the second factor there. A new call fails
 * until it is listed with its test.
 */
const here = 'test/sign-in/sign-in-methods.test.ts'
const secondStep = 'src/features/sign-in/two-factor/second-step.test.ts'
const signInMethods: Record<string, readonly [file: string, title: string][]> = {
  'GET /api/auth': [[here, 'asking who is signed in gives no token']],
  'POST /api/auth': [
    [secondStep, 'password'],
    [
      'src/features/sign-in/social/social.test.ts',
      'T-17 a known identity answers 2fa_required and no session',
    ],
    ['src/features/sign-in/social/social.test.ts', 'T-17 an unknown identity is not linked past it'],
  ],
  'POST /api/auth/switch': [[secondStep, 'another account, which opens after the code']],
  'POST /api/user/verify': [[secondStep, 'verification of the address']],
  'POST /api/auth/magic/verify': [
    ['src/features/sign-in/magic-link/magic-link.test.ts', 'asks for the second factor [T-17]'],
  ],
  'POST /api/auth/password/reset': [
    [
      'src/features/sign-in/reset/reset-password.test.ts',
      'asks for the second factor before it opens a session [T-17] [V6.4.3]',
    ],
  ],
  'POST /auth/saml/callback': [
    [
      'src/features/sign-in/sso/sign-in.test.ts',
      'T-17: the second factor is due, and the provider’s end of the session survives it',
    ],
  ],
  // The second factor itself.
  'POST /api/auth/otp': [[secondStep, '[V6.6.2] a challenge of one user takes no code of another']],
  'POST /api/user/2fa/verify': [
    [
      'src/features/sign-in/two-factor/two-factor.test.ts',
      '[T-19] [V7.4.3] [V7.2.4] every other session ends, and the token of this one is replaced',
    ],
  ],
  // Both factors at once, where the browser says that it asked for both.
  'POST /api/auth/passkey': [
    [
      'src/features/sign-in/passkeys/sign-in.test.ts',
      'opens a session that counts as both factors, and says when it was used',
    ],
  ],
  // The master's own session has shown a second factor.
  'POST /api/auth/impersonate': [
    [
      'src/features/impersonation/impersonation.test.ts',
      'a master without a second factor in the session is asked to switch it on',
    ],
  ],
  // A new user has no second factor; an existing user is not signed in here.
  'POST /api/account': [
    [here, 'a sign-up with the address of a user with a second factor does not sign in as that user'],
  ],
  'POST /api/user': [
    [
      'src/features/team/accept-invite.test.ts',
      'is sent to sign in, and nothing of that user changes [T-37]',
    ],
  ],
  'PUT /api/user/password': [[here, 'a new password']],
  'DELETE /api/user': [[here, 'leaving one account, with another one left']],
  'DELETE /api/user/:id': [[here, 'removing oneself, with another account left']],
  'POST /api/invite/accept': [[here, 'accepting an invite to another account']],
  'DELETE /api/account': [[here, 'closing an account, with another one left']],
}

const all: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))
const carriesToken = ({ reply }: Endpoint) =>
  JSON.stringify(z.toJSONSchema(reply, { unrepresentable: 'any' })).includes('"token":{')

describe('T-17 V6.1.3 the calls that return a session token', () => {
  test('are all listed with a test', () => {
    const found = all.filter(carriesToken).map(({ method, path }) => `${method} ${path}`)
    expect(found.sort()).toEqual(Object.keys(signInMethods).sort())
  })

  test.each(
    Object.entries(signInMethods).flatMap(([at, tests]) =>
      tests.map(([file, title]) => [at, file, title] as const),
    ),
  )('%s has its test: %s, %s', (_, file, title) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(`test('${title}'`)
  })
})

const made = await makeTestApp()
const { call, db, people } = made

/** A member of two accounts whose session began before the second factor was switched on. */
async function sessionWithoutSecondFactor() {
  const host = await people.owner()
  const person = await enableTwoFactor(made, await people.member(host, 'user'))
  await db.asOwnerOfJobs('update sessions set second_factor = false where user_id = $1', [person.id])
  return { host, person }
}
const sessionsOf = async (userId: string) =>
  (await db.asOwnerOfJobs('select id from sessions where user_id = $1', [userId])).rows

describe('T-17 a session that has not shown the second factor gets no new token by', () => {
  test('a new password', async () => {
    const { person } = await sessionWithoutSecondFactor()
    const body = { oldpassword: password, newpassword: 'another-good-password-2' }
    const answer = await call('PUT', '/api/user/password', { token: person.token, body })
    await expectTwoFactorChallenge(made, answer, person)
  })

  test('leaving one account, with another one left', async () => {
    const { person } = await sessionWithoutSecondFactor()
    const answer = await call('DELETE', '/api/user', { token: person.token, body: { password } })
    expect(answer).toMatchObject({ status: 200, data: { signout: true } })
    expect(answer.data).not.toHaveProperty('session')
    expect(await sessionsOf(person.id)).toEqual([])
  })

  test('removing oneself, with another account left', async () => {
    const { person } = await sessionWithoutSecondFactor()
    await db.asOwnerOfJobs("update memberships set role = 'admin' where user_id = $1 and account_id = $2", [
      person.id,
      person.account_id,
    ])
    const body = { password }
    const answer = await call('DELETE', `/api/user/${person.id}`, { token: person.token, body })
    expect(answer).toMatchObject({ status: 200, data: { signout: true } })
    expect(answer.data).not.toHaveProperty('session')
    expect(await sessionsOf(person.id)).toEqual([])
  })

  test('accepting an invite to another account', async () => {
    const { person } = await sessionWithoutSecondFactor()
    const inviter = await people.owner()
    const { id } = await people.mailTo(person.email)
    await call('POST', '/api/invite', { token: inviter.token, body: { email: person.email } })
    const invite_id = await people.inviteSecret(person.email, id)
    const answer = await call('POST', '/api/invite/accept', { token: person.token, body: { invite_id } })
    await expectTwoFactorChallenge(made, answer, person)
  })

  test('closing an account, with another one left', async () => {
    const { person } = await sessionWithoutSecondFactor()
    await db.asOwnerOfJobs("update memberships set role = 'owner' where user_id = $1", [person.id])
    const answer = await call('DELETE', '/api/account', { token: person.token, body: { password } })
    expect(answer).toMatchObject({ status: 200, data: { signout: true } })
    expect(answer.data).not.toHaveProperty('session')
    expect(await sessionsOf(person.id)).toEqual([])
  })

  test('asking who is signed in gives no token', async () => {
    const { person } = await sessionWithoutSecondFactor()
    const answer = await call('GET', '/api/auth', { token: person.token })
    expect(answer.data.authenticated).toBe(true)
    expect(answer.data).not.toHaveProperty('token')
  })

  test('a sign-up with the address of a user with a second factor does not sign in as that user', async () => {
    const { person } = await sessionWithoutSecondFactor()
    const body = { first_name: 'Mara', last_name: 'Okafor', email: person.email, password }
    const { data } = await call('POST', '/api/account', { body })
    expect(data.id).not.toBe(person.id)
    expect((await call('GET', '/api/auth', { token: data.token })).data.id).not.toBe(person.id)
  })
})
