import { contract, type Endpoint } from '@plinth/contract'
import { mustSetUpSecondFactor } from '@plinth/contract/access'
import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'
import { passkeyHelpers } from '../../../../test/sign-in/passkeys.ts'
import { enableTwoFactor, expectTwoFactorChallenge } from '../../../../test/sign-in/two-factor.ts'

const server = await makeTestApp()
const { call, clock, people, db } = server
const links = linkHelpers(server)
const { userWithPasskey } = passkeyHelpers(server)

/** A master without a second factor. */
async function master() {
  const user = await people.owner()
  await db.asOwnerOfJobs('insert into masters (user_id) values ($1)', [user.id])
  return user
}
const every = Object.values(contract).flatMap(table => Object.values(table)) as Endpoint[] // as: the tables hold endpoints
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
const named = every.map(one => [`${one.method} ${one.path}`, one] as const)
const refused = named.filter(
  ([, { needs, allowedBeforeSecondFactor }]) => needs !== 'public' && !allowedBeforeSecondFactor,
)

describe('a master without a second factor [V6.3.3]', () => {
  const unenrolled = master()

  test.each(refused)('gets 403 at %s', async (_, endpoint) => {
    const { token } = await unenrolled
    const answer = await call(endpoint.method, pathOf(endpoint), {
      token,
      ...(endpoint.method === 'GET' ? {} : { body: {} }),
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'second_factor_missing' } })
  })

  test('allows only setting one up, the own sessions and sign-out', () => {
    expect(
      named
        .filter(([, { allowedBeforeSecondFactor }]) => allowedBeforeSecondFactor)
        .map(([name]) => name)
        .sort(),
    ).toEqual([
      'DELETE /api/auth',
      'DELETE /api/user/sessions',
      'DELETE /api/user/sessions/:id',
      'GET /api/user/2fa',
      'GET /api/user/sessions',
      'POST /api/user/2fa/verify',
      'POST /api/user/passkeys/proof',
      'POST /api/user/passkeys/proof/options',
      'PUT /api/user/2fa',
    ])
  })

  test('can set one up and is then unrestricted', async () => {
    const user = await master()
    const check = async (token: string) =>
      (await call('GET', '/api/auth', { token })).data.second_factor_required
    expect(await check(user.token)).toBe(true)
    const enrolled = await enableTwoFactor(server, user)
    expect(await check(enrolled.token)).toBe(false)
    expect((await call('GET', '/api/user', { token: enrolled.token })).status).toBe(200)
  })

  test('proves their identity by passkey when the sign-in by link is not recent', async () => {
    const { user, own, passkey } = await userWithPasskey()
    await db.asOwnerOfJobs('insert into masters (user_id) values ($1)', [user.id])
    await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [user.id])
    const magic = await links.link('magic', user.email)
    const { token } = (await call('POST', '/api/auth/magic/verify', { body: { token: magic.token } })).data
    clock.add(10 * 60_000)
    const begin = () => call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': true } })
    expect((await begin()).body).toMatchObject({ code: 'proof_required', passkey: true })
    const asked = await own.call('POST', '/api/user/passkeys/proof/options', { token, body: {} })
    const credential = own.show(asked.data, passkey)
    const proven = await own.call('POST', '/api/user/passkeys/proof', { token, body: { credential } })
    expect(proven.status).toBe(200)
    expect((await begin()).status).toBe(200)
  })

  test('signing in by a link or a new password still requires setting one up', async () => {
    const user = await master()
    const magic = await links.link('magic', user.email)
    const byLink = await call('POST', '/api/auth/magic/verify', { body: { token: magic.token } })
    expect(byLink.data.second_factor_required).toBe(true)
    const byPassword = await call('POST', '/api/auth', { body: { email: user.email, password } })
    expect(byPassword.data.second_factor_required).toBe(true)
    for (const { token } of [byLink.data, byPassword.data])
      expect((await call('GET', '/api/user', { token })).body.code).toBe('second_factor_missing')
  })
})

test('a master with a second factor is asked for it', async () => {
  const person = await enableTwoFactor(server, await master())
  const answer = await call('POST', '/api/auth', { body: { email: person.email, password } })
  const opened = await expectTwoFactorChallenge(server, answer, person)
  expect(opened.data.second_factor_required).toBe(false)
})

test.each([
  ['a master', 'master', true, false, true],
  ['a master by passkey or code', 'master', true, true, false],
  ['an unverified master, who proves the address first', 'master', false, false, false],
  ['an owner', 'owner', true, false, false],
] as const)('mustSetUpSecondFactor: %s', (_, permission, verified, second_factor, must) => {
  expect(mustSetUpSecondFactor({ permission, verified, second_factor })).toBe(must)
})
