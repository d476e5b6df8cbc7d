import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { openSsoBrowser, ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { app, call, clock, db, people } = made
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

describe('single sign-on [call:GET /auth/saml] [call:POST /auth/saml/callback]', () => {
  test('a new person becomes a member with the role for new members', async () => {
    const company = await sso.company()
    await sso.api('PATCH', '/api/sso/connection', company, { default_role: 'developer' })
    const email = sso.address(company, 'new')
    const answer = await sso.signIn(company, { email, first_name: 'Ida', last_name: 'Ek' })
    expect(answer.data).toMatchObject({
      name: 'Ida Ek',
      verified: true,
      permission: 'developer',
      account_id: company.owner.account_id,
    })
    const profile = await call('GET', '/api/user', { token: answer.data.token })
    expect(profile.data).toMatchObject({ email, has_password: false })
    expect(
      await rows('select action, metadata from audit_log where user_id = $1', [answer.data.id]),
    ).toContainEqual({ action: 'sso.joined', metadata: { email, role: 'developer' } })
  })

  test('the same NameID is the same user, also with another address', async () => {
    const company = await sso.company()
    const first = await sso.signIn(company, { email: sso.address(company), name_id: 'subject-1' })
    const second = await sso.signIn(company, { email: sso.address(company, 'renamed'), name_id: 'subject-1' })
    expect(second.data.id).toBe(first.data.id)
    expect((await call('GET', '/api/user', { token: second.data.token })).data.email).toContain('person-')
    const other = await sso.signIn(company, { email: sso.address(company), name_id: 'Subject-1' })
    expect(other.data.id).not.toBe(first.data.id)
  })

  test('a member with the address is linked and gets a mail [T-88]', async () => {
    const company = await sso.company()
    const member = await memberOf(company, sso.address(company, 'member'))
    const answer = await sso.signIn(company, { email: member.email })
    expect(answer.data).toMatchObject({ id: member.id, account_id: company.owner.account_id })
    expect(await subjects(member.email)).toContain('Northquay’s account with SSO'.slice(-8))
  })

  test('starts by an address or by the account’s link, and not for a domain without single sign-on', async () => {
    const company = await sso.company()
    const go = (query: string) => openSsoBrowser(made).go(`/auth/saml?${query}`)
    const provider = `${sso.sandbox}/identity/saml/${company.name}/sso?SAMLRequest=`
    expect((await go(`email=anybody@${company.domain.toUpperCase()}`)).location).toContain(provider)
    expect((await go(`connection=${company.connection.id}`)).location).toContain(provider)
    for (const query of [
      'email=nobody@nowhere.example',
      'email=x',
      'domain=nowhere.example',
      'domain=',
      '',
      'connection=00000000-0000-7000-8000-000000000000',
      'connection=1',
      `domain=evil.${company.domain}`,
    ])
      expect((await go(query)).location).toBe('http://localhost:5000/login/saml?error=sso_unknown')
  })

  test('a refusal of the provider is shown with the connection to retry; no session', async () => {
    const company = await sso.company()
    const browser = openSsoBrowser(made)
    const { location } = await sso.start(browser, company)
    const posted = await sso.post(await sso.answer(location, { email: sso.address(company), action: 'deny' }))
    expect(posted.token).toBeNull()
    expect(posted.location.pathname + posted.location.search).toBe(
      `/login/saml/callback?saml_callback=1&error=denied&connection=${company.connection.id}`,
    )
    expect((await browser.go(`/auth/saml?connection=${company.connection.id}`)).location).toContain(
      '/identity/saml/',
    )
  })

  test('the state of a connection that is not enabled is not public', async () => {
    const company = await sso.newCompany()
    await sso.proveDomain(company)
    await sso.connect(company)
    const { location } = await sso.start(openSsoBrowser(made), company)
    expect(location).toBe('http://localhost:5000/login/saml?error=sso_unknown')
  })

  test('[call:GET /auth/saml/metadata] the metadata names us and the key of a connection that signs', async () => {
    const reply = await app.inject('/auth/saml/metadata')
    expect(reply.headers['content-type']).toContain('application/samlmetadata+xml')
    expect(reply.body).toContain('entityID="http://localhost:5000/auth/saml/metadata"')
    expect(reply.body).toContain('Location="http://localhost:5000/auth/saml/acs"')
    expect(reply.body).toContain('AuthnRequestsSigned="false"')
    expect((await app.inject('/auth/saml/metadata?connection=1')).statusCode).toBe(404)
  })
})

describe('the session that it opens', () => {
  test('V7.1.3: ends at the time the provider sets, with and without a second step', async () => {
    const company = await sso.company()
    const options = { assertion: { authn: { session_not_on_or_after: 3600 } } }
    const answer = await sso.signIn(company, { email: sso.address(company), options })
    const live = async () => (await call('GET', '/api/auth', { token: answer.data.token })).data.authenticated
    expect(await live()).toBe(true)
    const [row] = (await rows('select expires_at from sessions where user_id = $1', [answer.data.id])) as {
      expires_at: Date
    }[] // as: the column just named
    const ends = row?.expires_at.getTime() ?? 0
    expect(ends).toBeGreaterThan(clock.now().getTime())
    expect(ends - clock.now().getTime()).toBeLessThanOrEqual(3600_000)
    clock.add(3_601_000)
    expect(await live()).toBe(false)
    clock.add(-3_601_000)
  })

  test('T-17: the second factor is due, and the provider’s end of the session survives it', async () => {
    const company = await sso.company()
    const email = sso.address(company)
    const { id } = (await sso.signIn(company, { email })).data
    await rows("insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'x', now())", [id])
    const options = { assertion: { authn: { session_not_on_or_after: 3600 } } }
    const answer = await sso.signIn(company, { email, options })
    expect(answer.data).toEqual({ token: expect.any(String), '2fa_required': true })
    expect((await call('GET', '/api/user', { token: answer.data.token })).status).toBe(401)
    const challenges = await rows(
      'select method, account_id, session_until from challenges where user_id = $1',
      [id],
    )
    expect(challenges).toEqual([
      { method: 'saml', account_id: company.owner.account_id, session_until: expect.any(Date) },
    ])
  })

  test('T-43 T-53: opens only its own account, also after several switches', async () => {
    const company = await sso.company()
    const member = await memberOf(company, sso.address(company))
    const elsewhere = member.accounts.find(({ id }) => id !== company.owner.account_id)?.id
    let { token } = (await sso.signIn(company, { email: member.email })).data
    for (let n = 0; n < 2; n++) {
      const refused = await call('POST', '/api/auth/switch', { token, body: { account: elsewhere } })
      expect(refused).toMatchObject({ status: 403, body: { code: 'sso_alone' } })
      const same = await call('POST', '/api/auth/switch', {
        token,
        body: { account: company.owner.account_id },
      })
      expect(same.status).toBe(200)
      token = same.data.token
    }
  })

  test('T-53: is no step-up for other accounts: the provider’s operator can’t set a password', async () => {
    const company = await sso.company()
    const member = await memberOf(company, sso.address(company))
    const fresh = (await sso.signIn(company, { email: member.email })).data
    expect(fresh.accounts).toHaveLength(2)
    const answer = await call('PUT', '/api/user/2fa', { token: fresh.token, body: { '2fa_enabled': true } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'proof_required', inputError: 'password' } })
  })

  test('T-53: gives no consent to support and changes no default account without a step-up', async () => {
    const company = await sso.company()
    const member = await memberOf(company, sso.address(company))
    const { token } = (await sso.signIn(company, { email: member.email })).data
    for (const body of [{ support_enabled: true }, { default_account: company.owner.account_id }]) {
      const refused = await call('PATCH', '/api/user', { token, body })
      expect(refused).toMatchObject({ status: 403, body: { code: 'proof_required', inputError: 'password' } })
      const proven = await call('PATCH', '/api/user', { token, body: { ...body, password } })
      expect(proven.status).toBe(200)
    }
    const harmless = await call('PATCH', '/api/user', { token, body: { dark_mode: true } })
    expect(harmless.status).toBe(200)
    const single = (await sso.signIn(company, { email: sso.address(company) })).data
    const own = await call('PATCH', '/api/user', { token: single.token, body: { support_enabled: true } })
    expect(own.status).toBe(200)
  })

  test('T-53: lists and ends only the sessions of its own account', async () => {
    const company = await sso.company()
    const member = await memberOf(company, sso.address(company))
    const other = (await sso.signIn(company, { email: member.email })).data
    const { token } = (await sso.signIn(company, { email: member.email })).data
    const list = async (by: string) => (await call('GET', '/api/user/sessions', { token: by })).data
    const live = async (of: string) => (await call('GET', '/api/auth', { token: of })).data.authenticated
    expect((await list(token)).map(({ method }: { method: string }) => method)).toEqual(['saml', 'saml'])
    const all = await list(member.token)
    expect(all).toHaveLength(3)
    const own = all.find(({ current }: { current: boolean }) => current)
    expect((await call('DELETE', `/api/user/sessions/${own.id}`, { token })).status).toBe(404)
    expect((await call('DELETE', '/api/user/sessions', { token })).data).toEqual({ ended: 1 })
    expect([await live(member.token), await live(other.token), await live(token)]).toEqual([
      true,
      false,
      true,
    ])
    expect((await call('DELETE', '/api/user/sessions', { token: member.token })).data).toEqual({ ended: 1 })
  })

  test('T-53 T-42: never gives the permissions of a master', async () => {
    const company = await sso.company()
    const email = sso.address(company)
    const { id } = (await sso.signIn(company, { email })).data
    await rows('insert into masters (user_id) values ($1)', [id])
    const answer = await sso.signIn(company, { email })
    expect(answer.data.permission).toBe('user')
    const switched = await call('POST', '/api/auth/switch', {
      token: answer.data.token,
      body: { account: company.owner.account_id },
    })
    expect(switched.data.permission).toBe('user')
  })
})

/** A user with an account of their own who is a member of a company too. */
async function memberOf(company: { owner: { account_id: string } }, email: string) {
  const user = await people.owner(email)
  await rows("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
    company.owner.account_id,
    user.id,
  ])
  const accounts = [...user.accounts, { id: company.owner.account_id, name: '' }]
  return { ...user, accounts }
}

/** The subjects of a user's mails, after one more than at the sign-up. */
async function subjects(email: string): Promise<string> {
  const first = await people.mailTo(email)
  if (first.subject.includes('SSO')) return first.subject
  return (await people.mailTo(email, first.id)).subject
}

test('T-38: an unverified user of the address is deleted with everything', async () => {
  const company = await sso.company()
  const email = sso.address(company, 'victim')
  const attacker = await people.signUp(email)
  const { data } = await sso.signIn(company, { email })
  expect(data.id).not.toBe(attacker.id)
  expect((await call('GET', '/api/auth', { token: attacker.token })).data).toEqual({ authenticated: false })
  expect(await rows('select id from users where email = $1', [email])).toEqual([{ id: data.id }])
  expect(await rows('select id from accounts where id = $1', [attacker.account_id])).toEqual([])
})

test('T-53: an address of a user outside of the account is neither opened nor linked', async () => {
  const company = await sso.company()
  const outsider = await people.owner(sso.address(company, 'outsider'))
  const refused = await sso.signIn(company, { email: outsider.email })
  expect(refused).toMatchObject({ status: 403, body: { code: 'sso_not_member' } })
  expect(refused.body.message).toContain('invite')
  expect(await rows('select 1 from sso_identities where user_id = $1', [outsider.id])).toEqual([])
  expect(await rows('select 1 from memberships where user_id = $1', [outsider.id])).toHaveLength(1)
})

test.each([
  ['another company’s domain', (theirs: string) => `owner@${theirs}`],
  ['a subdomain', (_: string, own: string) => `x@sub.${own}`],
  ['a domain that ends alike', (_: string, own: string) => `x@evil${own}`],
  ['an open mail provider', () => 'somebody@mail.example'],
])('T-53: a provider speaks for the proven domains of its account alone: %s', async (_, address) => {
  const [a, b] = [await sso.company(), await sso.company()]
  const refused = await sso.signIn(b, { email: address(a.domain, b.domain) })
  expect(refused).toMatchObject({ status: 403, body: { code: 'sso_domain_unproven' } })
})

test('T-53: B’s provider signs A’s owner address: no access to A, and nothing linked', async () => {
  const [a, b] = [await sso.company(), await sso.company()]
  const refused = await sso.signIn(b, { email: a.owner.email })
  expect(refused.status).toBe(403)
  // A's own name and A's request, under B's key; and B's genuine answer to its own request, brought to A's.
  const { location } = await sso.start(openSsoBrowser(made), a)
  const options = { key: `saml/${b.name}` }
  const forged = await sso.sign(a, { sso_url: location, person: { email: sso.address(a) }, options })
  expect((await sso.post(forged)).token).toBeNull()
  const own = await sso.answer((await sso.start(openSsoBrowser(made), b)).location, { email: sso.address(a) })
  expect((await sso.post({ ...own, relay_state: forged.relay_state })).token).toBeNull()
  expect(await rows('select 1 from sso_identities where account_id = $1', [a.owner.account_id])).toEqual([])
})

test('an empty address is no member', async () => {
  const company = await sso.company()
  const name_id = { value: 'only-a-subject', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }
  const options = { assertion: { name_id, attributes: { email: null } } }
  const refused = await sso.signIn(company, { email: sso.address(company), options })
  expect(refused).toMatchObject({ status: 403, body: { code: 'sso_email_missing' } })
  expect(refused.body.message).toContain('didn’t send an email address')
})

test('the identity ends with the membership; the next sign-in creates no second user', async () => {
  const company = await sso.company()
  const member = await memberOf(company, sso.address(company))
  await sso.signIn(company, { email: member.email })
  await rows('delete from memberships where user_id = $1 and account_id = $2', [
    member.id,
    company.owner.account_id,
  ])
  expect(await rows('select 1 from sso_identities where user_id = $1', [member.id])).toEqual([])
  expect((await sso.signIn(company, { email: member.email })).body.code).toBe('sso_not_member')
})

test('of fifty parallel sign-ins one gets the last seat, and an invite to that person is used', async () => {
  const company = await sso.company()
  await people.member(company.owner, 'user')
  const comers = Array.from({ length: 50 }, () => sso.address(company, 'rush'))
  await rows(
    `insert into invites (id, account_id, email, role, secret_hash, sent_at, expires_at)
     select gen_random_uuid(), $1, email, 'user', sha256(email::bytea), now(), now() + interval '7 days' from unnest($2::text[]) email`,
    [company.owner.account_id, comers],
  )
  const answers = await Promise.all(comers.map(email => sso.signIn(company, { email })))
  expect(answers.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1)
  for (const answer of answers)
    if (answer.status !== 200) expect(answer).toMatchObject({ status: 409, body: { code: 'account_full' } })
  expect(
    await rows('select 1 from memberships where account_id = $1', [company.owner.account_id]),
  ).toHaveLength(3)
  expect(await rows('select 1 from invites where account_id = $1', [company.owner.account_id])).toHaveLength(
    49,
  )
  expect(await rows('select 1 from users where email = any($1)', [comers])).toHaveLength(1)
})

test('fifty parallel sign-ins of a new person create one user', async () => {
  const company = await sso.company()
  const email = sso.address(company)
  const answers = await Promise.all(Array.from({ length: 50 }, () => sso.signIn(company, { email })))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
})

test('bad input is refused at its field, and GET on the callback is not found', async () => {
  expect(await call('POST', '/auth/saml/callback', { body: {} })).toMatchObject({
    status: 422,
    body: { inputError: 'token' },
  })
  expect((await call('POST', '/auth/saml/callback', { body: { token: 'no-such-token' } })).body.code).toBe(
    'sso_failed',
  )
  expect((await app.inject({ url: '/auth/saml/acs', headers: { accept: 'text/html' } })).statusCode).toBe(404)
  expect(freshEmail()).toContain('@')
})
