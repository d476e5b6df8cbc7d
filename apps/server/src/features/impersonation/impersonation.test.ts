import { contract } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { masterFactory } from '../../../test/factories/masters.ts'
import { expectMail } from '../../../test/harness/expect-mail.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'
import { createSupportLink } from './service.ts'

const server = await makeTestApp()
const { call, clock, config, db, people, services } = server
const system = db.asOwnerOfJobs

const master = masterFactory(server)

async function allowing() {
  const user = await people.owner(freshEmail('helped'))
  const answer = await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: true } })
  expect(answer.data.support_enabled).toBe(true)
  return user
}

async function linkFor(by: { email: string }, user: { email: string }) {
  const made = await createSupportLink(services, { master: by.email, user: user.email })
  return new URL(made.url).searchParams.get('token') ?? ''
}

const supportMail = 'Support signed in to your account'

const begin = (by: { token: string } | null, token: string) =>
  call('POST', '/api/auth/impersonate', { token: by?.token, body: { token } })

async function acting() {
  const [by, user] = [await master(), await allowing()]
  const opened = await begin(by, await linkFor(by, user))
  expect(opened.status).toBe(200)
  return { by, user, token: String(opened.data.token), opened }
}

describe('acting as a user [call:POST /api/auth/impersonate] [T-41]', () => {
  test('opens the user’s session for half an hour, records both names and mails the user', async () => {
    const { by, user, token, opened } = await acting()
    expect(opened.data).toMatchObject({ id: user.id, account_id: user.account_id, permission: 'owner' })
    const until = new Date(opened.data.support_until).getTime() - clock.now().getTime()
    expect(until).toBeGreaterThan(29 * 60_000)
    expect((await call('GET', '/api/user', { token })).data.email).toBe(user.email)
    const { rows } = await system(
      "select user_id, metadata from audit_log where account_id = $1 and action = 'support.session_began'",
      [user.account_id],
    )
    expect(rows).toEqual([{ user_id: by.id, metadata: { support: by.email, user: user.email } }])
    await expectMail(server, user.email, supportMail)
    clock.add(30 * 60_000)
    expect((await call('GET', '/api/auth', { token })).data).toEqual({ authenticated: false })
  })

  test('a link works once, also in fifty parallel calls', async () => {
    const [by, user] = [await master(), await allowing()]
    const link = await linkFor(by, user)
    const answers = await Promise.all(Array.from({ length: 50 }, () => begin(by, link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['link_expired']),
    )
  })

  test('refused for another master, the user, other users and after half an hour', async () => {
    const [by, other, user] = [await master(), await master(), await allowing()]
    const link = await linkFor(by, user)
    expect((await begin(other, link)).body.code).toBe('link_expired')
    expect((await begin(user, link)).status).toBe(403)
    expect((await begin(null, link)).status).toBe(401)
    expect((await begin(by, 'not-a-link')).body.code).toBe('link_expired')
    // A master's own session lasts a quarter of an hour without a call.
    for (let n = 0; n < 3; n++) {
      clock.add(10 * 60_000)
      await call('GET', '/api/auth', { token: by.token })
    }
    expect((await begin(by, link)).body.code).toBe('link_expired')
  })

  test('a master without a second factor in the session is asked to switch it on', async () => {
    const [by, user] = [await master(), await allowing()]
    const link = await linkFor(by, user)
    await system('update sessions set second_factor = false where user_id = $1', [by.id])
    expect((await begin(by, link)).body.code).toBe('second_factor_missing')
  })

  test('creates no link without consent, for a master, for other callers, or without 2FA', async () => {
    const [by, user] = [await master(), await allowing()]
    const stranger = await people.owner()
    const why = (master: string, user: string, account?: string) =>
      createSupportLink(services, { master, user, account }).then(
        () => null,
        error => error.code,
      )
    expect(await why(by.email, stranger.email)).toBe('support_not_enabled')
    expect(await why(stranger.email, user.email)).toBe('permission_required')
    expect(await why(by.email, 'nobody@test.plinth.example')).toBe('user_unknown')
    expect(await why(by.email, user.email, stranger.account_id)).toBe('user_unknown')
    await call('PATCH', '/api/user', { token: by.token, body: { support_enabled: true } })
    expect(await why(by.email, by.email)).toBe('support_not_enabled')
    await system('delete from two_factors where user_id = $1', [by.id])
    expect(await why(by.email, user.email)).toBe('second_factor_missing')
  })

  test('the consent is checked when the link is used, and with every request', async () => {
    const [by, user] = [await master(), await allowing()]
    const link = await linkFor(by, user)
    const consent = (support_enabled: boolean) =>
      call('PATCH', '/api/user', { token: user.token, body: { support_enabled } })
    await consent(false)
    expect((await begin(by, link)).body.code).toBe('link_expired')
    await consent(true)
    const { token } = (await begin(by, await linkFor(by, user))).data
    expect((await call('GET', '/api/user', { token })).status).toBe(200)
    // Taken back in the database, past the sign-out of such sessions: the look-up itself refuses.
    await system('update users set support_enabled = false where id = $1', [user.id])
    expect((await call('GET', '/api/user', { token })).status).toBe(401)
  })

  test('withdrawing the consent ends a session in use', async () => {
    const { user, token } = await acting()
    const working = Array.from({ length: 50 }, async (_, n) => {
      if (n === 10) await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: false } })
      const { status } = await call('GET', '/api/user', { token })
      return status
    })
    expect(new Set(await Promise.all(working)).size).toBeLessThanOrEqual(2)
    expect((await call('GET', '/api/user', { token })).status).toBe(401)
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(200)
  })

  test('every writing call is refused unless the contract allows it', async () => {
    const { token } = await acting()
    const all = Object.values(contract).flatMap(table => Object.values(table))
    const writes = all.filter(({ method, needs }) => method !== 'GET' && needs !== 'public')
    expect(writes.length).toBeGreaterThan(8)
    for (const { method, path, ...endpoint } of writes) {
      if ('support' in endpoint && endpoint.support) continue
      const url = path.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000')
      const answer = await call(method, url, { token, body: method === 'DELETE' ? undefined : {} })
      // The only other answer: the call needs more than the user may.
      expect(['support_not_allowed', 'permission_required'], `${method} ${path}`).toContain(answer.body.code)
    }
    expect((await call('DELETE', '/api/auth', { token })).status).toBe(200)
    expect((await call('GET', '/api/auth', { token })).data.authenticated).toBe(false)
  })

  test('the user’s sessions continue and the user can sign in', async () => {
    const { user } = await acting()
    expect((await call('GET', '/api/auth', { token: user.token })).data.support_until).toBeNull()
    const again = await call('POST', '/api/auth', { body: { email: user.email, password } })
    expect(again.data.support_until).toBeNull()
  })

  test('a user who has become a master is impersonated without a master’s permissions', async () => {
    const { user, token } = await acting()
    await system('insert into masters (user_id) values ($1)', [user.id])
    expect((await call('GET', '/api/auth', { token })).data.permission).toBe('owner')
  })

  test('a former master’s impersonation ends', async () => {
    const { by, token } = await acting()
    await system('delete from masters where user_id = $1', [by.id])
    expect((await call('GET', '/api/user', { token })).status).toBe(401)
  })

  test('a change of consent is audited in each account and mailed; a repeat is not [T-88]', async () => {
    const [user, host] = [await people.owner(), await people.owner()]
    await system("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      host.account_id,
      user.id,
    ])
    const say = (support_enabled: boolean) =>
      call('PATCH', '/api/user', { token: user.token, body: { support_enabled } })
    for (const allowed of [false, true, true, false]) expect((await say(allowed)).status).toBe(200)
    const { rows } = await system(
      "select account_id, action from audit_log where user_id = $1 and action like 'support.%'",
      [user.id],
    )
    const both = [user.account_id, host.account_id]
    const due = ['support.allowed', 'support.forbidden'].flatMap(action =>
      both.map(account_id => ({ account_id, action })),
    )
    expect(rows).toHaveLength(due.length)
    expect(rows).toEqual(expect.arrayContaining(due))
    await expectMail(server, user.email, 'Support access to your account is on')
    const off = await expectMail(server, user.email, 'Support access to your account is off')
    expect(off.links).toContain(`${config.publicUrl}/account/profile`)
  })

  test('ends with the sessions of the master [T-19]', async () => {
    const { by, user, token } = await acting()
    expect((await call('DELETE', '/api/user/sessions', { token: by.token })).status).toBe(200)
    expect((await call('GET', '/api/user', { token })).status).toBe(401)
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(200)
  })

  test('a withdrawal during the use of a link causes no error and leaves no session', async () => {
    const [by, user] = [await master(), await allowing()]
    for (let round = 0; round < 3; round++) {
      const link = await linkFor(by, user)
      const consent = (support_enabled: boolean) =>
        call('PATCH', '/api/user', { token: user.token, body: { support_enabled } })
      const [taken, ...began] = await Promise.all([
        consent(false),
        ...Array.from({ length: 50 }, () => begin(by, link)),
      ])
      for (const { status, text } of began) expect([200, 422], text).toContain(status)
      expect(taken.status).toBe(200)
      const { rows } = await system(
        'select 1 from sessions where user_id = $1 and impersonator_id is not null',
        [user.id],
      )
      expect(rows).toEqual([])
      await consent(true)
    }
  })

  test('a consent from before the verification does not count', async () => {
    const unproven = await people.signUp()
    const answer = await call('PATCH', '/api/user', {
      token: unproven.token,
      body: { support_enabled: true },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'verification_required' } })
    const off = await call('PATCH', '/api/user', { token: unproven.token, body: { support_enabled: false } })
    expect(off.status).toBe(200)
  })

  test('support does not see the account’s security settings', async () => {
    const { token } = await acting()
    for (const path of ['/api/user/2fa', '/api/user/passkeys', '/api/user/identities', '/api/sso'])
      expect((await call('GET', path, { token })).body.code, path).toBe('support_not_allowed')
  })

  test('[call:POST /api/impersonation] only a master with a second factor and a recent proof gets the link', async () => {
    const [by, user] = [await master(), await allowing()]
    const ask = (token: string, more = {}) =>
      call('POST', '/api/impersonation', { token, body: { email: user.email, ...more } })
    const made = await ask(by.token)
    expect(made.status).toBe(200)
    const opened = await begin(by, new URL(made.data.url).searchParams.get('token') ?? '')
    expect(opened.data.id).toBe(user.id)
    expect((await ask(user.token)).status).toBe(403)
    expect((await ask(opened.data.token)).body.code).toBe('permission_required')
    expect((await ask(by.token, { email: 'no address' })).body.inputError).toBe('email')
    clock.add(11 * 60_000)
    expect((await ask(by.token)).body.code).toBe('proof_required')
    expect((await ask(by.token, { password })).status).toBe(200)
    await system('update sessions set second_factor = false where user_id = $1', [by.id])
    expect((await ask(by.token)).body.code).toBe('second_factor_missing')
  })

  test('bad input is refused at its field', async () => {
    const by = await master()
    const answer = await call('POST', '/api/auth/impersonate', { token: by.token, body: {} })
    expect(answer).toMatchObject({ status: 422, body: { inputError: 'token' } })
  })
})
