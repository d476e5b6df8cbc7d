import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'
import { openSocialBrowser } from '../../../../test/sign-in/social.ts'
import { openSsoBrowser, ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { app, call, db, people } = made
const sso = ssoHelpers(made)
const { link, redeem, reset } = linkHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const required = { status: 403, body: { code: 'sso_required' } }

type Person = { id: string; email: string; token: string; account_id: string }

/** A company that enforces, with a member in that account alone. The owner keeps their password. */
async function enforcing() {
  const company = await sso.company()
  const member = await onlyMember(company.owner)
  const on = { enforced: true, break_glass: [company.owner.id] }
  await sso.api('PATCH', '/api/sso/connection', company, on)
  return { company, member }
}

/** A user with a password and no other account. */
async function onlyMember(
  owner: { account_id: string },
  role: 'owner' | 'user' = 'user',
  email?: string,
): Promise<Person> {
  const user = await people.verified(email)
  await rows('insert into memberships (account_id, user_id, role) values ($1, $2, $3)', [
    owner.account_id,
    user.id,
    role,
  ])
  await rows('delete from accounts where id = $1', [user.account_id])
  const { data } = await call('POST', '/api/auth', { body: { email: user.email, password } })
  return { ...user, token: data?.token, account_id: owner.account_id }
}
const signIn = (email: string) => call('POST', '/api/auth', { body: { email, password } })
const alive = async (token: string) => (await call('GET', '/api/auth', { token })).data.authenticated

describe('T-22 T-43: enforced single sign-on refuses every other way into the account', () => {
  test.each<[string, (member: Person) => Promise<{ status: number; body: unknown }>]>([
    ['password', member => signIn(member.email)],
    ['magic link', async member => redeem((await link('magic', member.email)).token)],
    ['reset', async member => reset((await link('reset', member.email)).token, 'another-good-password-2')],
    [
      'social',
      member => openSocialBrowser(app).signIn('google', { email: member.email, email_verified: true }),
    ],
  ])('%s', async (_, way) => {
    const { member } = await enforcing()
    expect(await way(member)).toMatchObject(required)
    expect(await rows('select 1 from sessions where user_id = $1', [member.id])).toEqual([])
    expect(await rows('select 1 from identities where user_id = $1', [member.id])).toEqual([])
  })

  test('a refused reset leaves the password as it was', async () => {
    const { company, member } = await enforcing()
    await reset((await link('reset', member.email)).token, 'another-good-password-2')
    await sso.api('PATCH', '/api/sso/connection', company, { enforced: false })
    expect((await signIn(member.email)).status).toBe(200)
  })

  test('an invite', async () => {
    const { company } = await enforcing()
    const email = freshEmail('invited')
    await call('POST', '/api/invite', { token: company.owner.token, body: { email } })
    const invite_id = await people.inviteSecret(email)
    const body = { first_name: 'I', last_name: 'N', email, password, invite_id }
    expect(await call('POST', '/api/user', { body })).toMatchObject(required)
    expect(await rows('select 1 from users where email = $1', [email])).toEqual([])
  })

  test.each([
    ['password', true],
    ['magic', true],
    ['reset', true],
    ['social', true],
    ['passkey', true],
    ['verification', true],
    ['invite', true],
    ['saml', false],
    ['impersonation', false],
  ])('is enforced for every sign-in method: %s', async (method, blocked) => {
    const { member } = await enforcing()
    const [row] = await rows('select choose_account($1, $2, $3, null) as opening', [
      member.id,
      member.account_id,
      method,
    ])
    expect(row).toMatchObject({ opening: { account_id: member.account_id, sso_required: blocked } })
  })

  test('a challenge that waited while it was switched on', async () => {
    const company = await sso.company()
    const member = await onlyMember(company.owner)
    const [row] = await rows('select choose_account($1, null, $2, null) as opening', [member.id, 'password'])
    expect(row).toMatchObject({ opening: { sso_required: false } })
    await sso.api('PATCH', '/api/sso/connection', company, {
      enforced: true,
      break_glass: [company.owner.id],
    })
    const [after] = await rows('select choose_account($1, $2, $3, null) as opening', [
      member.id,
      member.account_id,
      'password',
    ])
    expect(after).toMatchObject({ opening: { sso_required: true } })
  })

  test('a switch from another account is refused too, and that session stays', async () => {
    const { company } = await enforcing()
    const other = await people.owner()
    await rows("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      company.owner.account_id,
      other.id,
    ])
    const answer = await call('POST', '/api/auth/switch', {
      token: other.token,
      body: { account: company.owner.account_id },
    })
    expect(answer).toMatchObject(required)
    expect(await alive(other.token)).toBe(true)
    const foreign = await call('POST', '/api/auth/switch', {
      token: other.token,
      body: { account: crypto.randomUUID() },
    })
    expect(foreign.body.code).toBe('account_unknown')
  })

  test('a user with another account opens that one instead', async () => {
    const { company } = await enforcing()
    const other = await people.owner()
    await rows("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      company.owner.account_id,
      other.id,
    ])
    await rows('update users set default_account_id = $1 where id = $2', [company.owner.account_id, other.id])
    expect((await signIn(other.email)).data.account_id).toBe(other.account_id)
  })

  test('single sign-on itself signs in, with the second factor required', async () => {
    const { company } = await enforcing()
    const answer = await sso.signIn(company, { email: sso.address(company) })
    expect(answer.data).toMatchObject({ account_id: company.owner.account_id })
  })
})

describe('switching it on and off', () => {
  test('ends the sessions of other methods, except those of break-glass owners and the current one', async () => {
    const company = await sso.company()
    const [member, second] = [await onlyMember(company.owner), await onlyMember(company.owner, 'owner')]
    const bySso = (await sso.signIn(company, { email: company.owner.email })).body.code
    expect(bySso).toBe('sso_domain_unproven')
    await sso.api('PATCH', '/api/sso/connection', company, { enforced: true, break_glass: [second.id] })
    expect(await alive(member.token)).toBe(false)
    expect(await alive(second.token)).toBe(true)
    expect(await alive(company.owner.token)).toBe(true)
    expect(await signIn(company.owner.email)).toMatchObject(required)
    expect((await signIn(second.email)).status).toBe(200)
  })

  test('leaves no session of users who sign in by password during the change', async () => {
    const company = await sso.company()
    const member = await onlyMember(company.owner)
    const enforce = { enforced: true, break_glass: [company.owner.id] }
    const [, ...answers] = await Promise.all([
      sso.api('PATCH', '/api/sso/connection', company, enforce),
      ...Array.from({ length: 50 }, () => signIn(member.email)),
    ])
    for (const { status } of answers) expect([200, 403, 503]).toContain(status)
    expect(await rows('select 1 from sessions where user_id = $1', [member.id])).toEqual([])
  })

  test('requires a break-glass owner of this account and an enabled connection', async () => {
    const company = await sso.newCompany()
    await sso.proveDomain(company)
    await sso.connect(company)
    const patch = (body: object) => call('PATCH', '/api/sso/connection', { token: company.owner.token, body })
    expect((await patch({ enabled: true })).body.code).toBe('sso_not_tested')
    expect((await patch({ enforced: true, break_glass: [company.owner.id] })).body.code).toBe(
      'sso_not_tested',
    )
    await sso.test(company)
    expect((await patch({ enabled: true })).status).toBe(200)
    const member = await onlyMember(company.owner)
    const stranger = await people.owner()
    for (const break_glass of [undefined, [], [member.id], [stranger.id], [company.owner.id, stranger.id]])
      expect(await patch({ enforced: true, break_glass })).toMatchObject({
        status: 422,
        body: { code: 'sso_break_glass', inputError: 'break_glass' },
      })
    expect((await patch({ enforced: true, break_glass: [company.owner.id] })).status).toBe(200)
    expect((await patch({ break_glass: [] })).body.code).toBe('sso_break_glass')
  })

  test('requires a verified domain, and the last one can’t be removed: members would be locked out', async () => {
    const { company } = await enforcing()
    const { token } = company.owner
    const remove = (id: string | undefined, headers = {}) =>
      call('DELETE', `/api/sso/domains/${id}`, { token, body: {}, headers })
    const idOf = async (domain: string) =>
      (await sso.api('GET', '/api/sso', company)).domains.find(each => each.domain === domain)?.id
    const [first, second] = [company.domain, `second.${company.domain}`]
    await sso.api('POST', '/api/sso/domains', company, { domain: second })
    expect(await remove(await idOf(first), { 'accept-language': 'de' })).toMatchObject({
      status: 409,
      body: { code: 'sso_last_domain', message: expect.stringContaining('eine bestätigte Domain') },
    })
    await sso.proveDomain(company, second)
    // Both at once, again and again: one of them stays.
    const ids = [await idOf(first), await idOf(second)]
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => remove(ids[n % 2])))
    const outcomes = answers.map(({ status }) => status)
    expect(outcomes.filter(status => status === 200)).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set([200, 404, 409]))
    const on = { enforced: true, break_glass: [company.owner.id] }
    await sso.api('PATCH', '/api/sso/connection', company, { enforced: false })
    for (const { id } of (await sso.api('GET', '/api/sso', company)).domains)
      expect((await remove(id)).status).toBe(200)
    const again = await call('PATCH', '/api/sso/connection', { token, body: on })
    expect(again).toMatchObject({ status: 409, body: { code: 'sso_last_domain' } })
  })

  test('when no break-glass owner is an owner any more, every owner may sign in', async () => {
    const company = await sso.company()
    const second = await onlyMember(company.owner, 'owner')
    await sso.api('PATCH', '/api/sso/connection', company, { enforced: true, break_glass: [second.id] })
    expect(await signIn(company.owner.email)).toMatchObject(required)
    await rows("update memberships set role = 'user' where user_id = $1", [second.id])
    expect((await signIn(company.owner.email)).status).toBe(200)
    expect(await signIn(second.email)).toMatchObject(required)
  })

  test('not enforced, disabled or removed: other methods work, and SSO sessions end', async () => {
    for (const off of ['disable', 'remove'] as const) {
      const { company, member } = await enforcing()
      const { token } = (await sso.signIn(company, { email: sso.address(company) })).data
      if (off === 'disable') await sso.api('PATCH', '/api/sso/connection', company, { enabled: false })
      else await sso.api('DELETE', '/api/sso/connection', company, {})
      expect(await alive(token)).toBe(false)
      expect((await signIn(member.email)).status).toBe(200)
      expect((await sso.start(openSsoBrowser(made), company)).location).toContain('sso_unknown')
    }
  })
})
