import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ssoHelpers } from '../../../../test/sign-in/sso.ts'
import { mailCertificateReminders } from './reminders.ts'

const made = await makeTestApp()
const { call, clock, config, db, people, services } = made
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const ten = 10 * 60_000

/** Every write of the owner's screen. */
const writes = [
  ['POST', '/api/sso/domains', { domain: 'x.example' }],
  ['POST', '/api/sso/domains/:id/check', {}],
  ['DELETE', '/api/sso/domains/:id', {}],
  ['PUT', '/api/sso/connection', { metadata_xml: '<x/>' }],
  ['PATCH', '/api/sso/connection', { enabled: false }],
  ['DELETE', '/api/sso/connection', {}],
  ['POST', '/api/sso/test', undefined],
] as const

describe('T-55 T-32: only owners can read and change single sign-on [call:GET /api/sso]', () => {
  test.each(['admin', 'developer', 'user'] as const)(
    'a member with the role %s changes and reads nothing',
    async role => {
      const company = await sso.company()
      const member = await people.member(company.owner, role)
      const id = (await sso.api('GET', '/api/sso', company)).domains[0]?.id ?? ''
      for (const [method, path, body] of [...writes, ['GET', '/api/sso', undefined] as const]) {
        const answer = await call(method, path.replace(':id', id), { token: member.token, body })
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 403,
          body: { code: 'permission_required' },
        })
      }
    },
  )

  test('an owner of another account gets no data of this one', async () => {
    const [a, b] = [await sso.company(), await sso.newCompany()]
    const id = (await sso.api('GET', '/api/sso', a)).domains[0]?.id
    for (const [method, path] of [
      ['POST', `/api/sso/domains/${id}/check`],
      ['DELETE', `/api/sso/domains/${id}`],
    ] as const)
      expect((await call(method, path, { token: b.owner.token, body: {} })).status).toBe(404)
    expect(await sso.api('GET', '/api/sso', b)).toMatchObject({ domains: [], connection: null })
    expect((await call('POST', '/api/sso/test', { token: b.owner.token })).body.code).toBe('sso_not_set_up')
  })

  test('V7.5.1: a change needs a recent sign-in or the password; adding a domain and testing do not', async () => {
    const company = await sso.company()
    const id = (await sso.api('GET', '/api/sso', company)).domains[0]?.id ?? ''
    clock.add(ten)
    const { token } = company.owner
    for (const [method, path, body] of writes.filter(([, path]) => !/domains$|test$/.test(path))) {
      const answer = await call(method, path.replace(':id', id), { token, body })
      expect(answer, path).toMatchObject({
        status: 403,
        body: { code: 'proof_required', inputError: 'password' },
      })
      const wrong = await call(method, path.replace(':id', id), {
        token,
        body: { ...body, password: 'wrong' },
      })
      expect(wrong.body.code).toBe('password_wrong')
    }
    expect((await call('POST', '/api/sso/test', { token })).status).toBe(200)
    clock.add(-ten)
  })

  test.each([
    'http://127.0.0.1:80/metadata',
    'http://localhost:1/metadata',
    'https://127.0.0.1/metadata',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/metadata',
    'https://10.0.0.1/x',
    'https://user:secret@idp.example/x',
    'file:///etc/passwd',
    'ftp://idp.example/x',
    'no address',
  ])('V1.3.6: the server fetches nothing from %s', async metadata_url => {
    const { owner } = await sso.newCompany()
    const answer = await call('PUT', '/api/sso/connection', { token: owner.token, body: { metadata_url } })
    expect(answer).toMatchObject({ status: 422, body: { code: 'sso_metadata', inputError: 'metadata_url' } })
    expect(answer.body.message).toContain('public https address')
  })

  test('T-88: each change is in the log and in the mail of every owner', async () => {
    const company = await sso.newCompany()
    const second = await people.member(company.owner, 'owner')
    await sso.proveDomain(company)
    await sso.connect(company)
    await sso.connect(company)
    await sso.test(company)
    const patch = (body: object) => sso.api('PATCH', '/api/sso/connection', company, body)
    await patch({ enabled: true })
    await patch({ enforced: true, break_glass: [company.owner.id, second.id] })
    await patch({ break_glass: [company.owner.id, second.id] })
    await patch({ enforced: false })
    await patch({ default_role: 'admin' })
    await patch({ enabled: false })
    const id = (await sso.api('DELETE', '/api/sso/connection', company, {})).domains[0]?.id
    await sso.api('DELETE', `/api/sso/domains/${id}`, company, {})
    const log = await rows(
      "select action from audit_log where account_id = $1 and action like 'sso.%' order by created_at, id",
      [company.owner.account_id],
    )
    const actions = [
      'domain_proven',
      'connected',
      'renewed',
      'enabled',
      'enforced',
      'break_glass',
      'not_enforced',
      'default_role',
      'disabled',
      'disconnected',
      'domain_removed',
    ]
    expect(log).toEqual(actions.map(action => ({ action: `sso.${action}` })))
    for (const owner of [company.owner, second]) {
      const inbox = `${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(owner.email)}`
      const count = async () => {
        const { data } = (await (await fetch(inbox)).json()) as { data: { subject: string }[] } // as: the sandbox's answer
        return data.filter(({ subject }) => subject.startsWith('Single sign-on of')).length
      }
      await expect.poll(count, { timeout: 20_000 }).toBe(actions.length)
    }
  })
})

describe('the connection [call:PUT /api/sso/connection] [call:PATCH /api/sso/connection] [call:DELETE /api/sso/connection] [call:POST /api/sso/test]', () => {
  test('by address or as XML: shows the provider, and refuses invalid metadata with its reason', async () => {
    const company = await sso.newCompany()
    const at = `${config.sandboxUrl}/identity/saml/${company.name}`
    const byUrl = await sso.connect(company)
    expect(byUrl.connection).toMatchObject({
      idp_entity_id: `${at}/metadata`,
      sso_url: `${at}/sso`,
      metadata_url: `${at}/metadata`,
      enabled: false,
      enforced: false,
      tested_at: null,
      signs_requests: false,
      default_role: 'user',
    })
    expect(byUrl.connection?.certificates[0]?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    const metadata_xml = await (await fetch(`${at}/metadata`)).text()
    const byXml = await sso.api('PUT', '/api/sso/connection', company, { metadata_xml })
    expect(byXml.connection).toMatchObject({ id: byUrl.connection?.id, metadata_url: null })
    const refusedAs = async (body: object) =>
      (await call('PUT', '/api/sso/connection', { token: company.owner.token, body })).body
    expect(await refusedAs({ metadata_xml: '<x/>' })).toMatchObject({
      code: 'sso_metadata',
      inputError: 'metadata_xml',
    })
    expect((await refusedAs({ metadata_xml: 'x' })).message).toContain('isn’t readable XML')
    expect((await refusedAs({ metadata_url: `${config.sandboxUrl}/nothing` })).code).toBe('sso_metadata')
    expect(await refusedAs({})).toMatchObject({ code: 'invalid_input', inputError: 'metadata_url' })
    expect(await refusedAs({ metadata_xml, metadata_url: at })).toMatchObject({ code: 'invalid_input' })
  })

  test('metadata of 256 kB can be pasted, and larger is refused with the limit named', async () => {
    const company = await sso.newCompany()
    const small = await (await fetch(`${sso.sandbox}/identity/saml/${company.name}/metadata`)).text()
    const sized = (bytes: number) => {
      const claim = '<fed:ClaimType xmlns:fed="urn:x" Uri="urn:y">\r\n</fed:ClaimType>'
      const room = bytes - small.length - '<md:Extensions></md:Extensions>'.length
      const claims = claim.repeat(Math.floor(room / claim.length))
      const filled = claims + ' '.repeat(room - claims.length)
      return small.replace('<md:IDPSSODescriptor', `<md:Extensions>${filled}</md:Extensions>$&`)
    }
    const put = (metadata_xml: string) =>
      call('PUT', '/api/sso/connection', { token: company.owner.token, body: { metadata_xml } })
    expect(Buffer.byteLength(sized(262_144))).toBe(262_144)
    expect((await put(sized(262_144))).status).toBe(200)
    for (const more of [sized(262_145), sized(262_140).replace('urn:x', 'urn:äöüß')])
      expect(await put(more)).toMatchObject({
        status: 422,
        body: { inputError: 'metadata_xml', message: 'This document is too large. The limit is 256 kB.' },
      })
    expect(await put('"'.repeat(400_000))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', message: 'That is too large to send. The limit is 640 kB.' },
    })
  })

  test('another provider starts disabled, without identities, and ends the sessions of the old one', async () => {
    const company = await sso.company()
    await sso.api('PATCH', '/api/sso/connection', company, { default_role: 'developer' })
    const { data } = await sso.signIn(company, { email: sso.address(company), name_id: 'same-subject' })
    const other = await sso.connect({ ...company, name: `${company.name}-other` })
    expect(other.connection).toMatchObject({ enabled: false, tested_at: null, default_role: 'developer' })
    expect(
      await rows('select 1 from sso_identities where account_id = $1', [company.owner.account_id]),
    ).toEqual([])
    expect((await call('GET', '/api/auth', { token: data.token })).data).toEqual({ authenticated: false })
  })

  test('new certificates of the same provider end no session', async () => {
    const company = await sso.company()
    const { data } = await sso.signIn(company, { email: sso.address(company) })
    const again = await sso.connect(company)
    expect(again.connection).toMatchObject({ enabled: true, id: company.connection.id })
    expect((await call('GET', '/api/auth', { token: data.token })).data.authenticated).toBe(true)
  })

  test('a test shows the provider’s data before it is enabled, and creates no session', async () => {
    const company = await sso.newCompany()
    await sso.connect(company)
    const unproven = await sso.test(company)
    expect(unproven.connection).toMatchObject({
      tested_at: null,
      test: { code: 'domain_unproven', email: `test@${company.domain}` },
    })
    await sso.proveDomain(company)
    const good = await sso.test(company, {
      email: `ida@${company.domain}`,
      first_name: 'Ida',
      last_name: 'Ek',
    })
    expect(good.connection?.test).toMatchObject({
      code: null,
      first_name: 'Ida',
      last_name: 'Ek',
      name_id: `ida@${company.domain}`,
    })
    expect(good.connection?.tested_at).not.toBeNull()
    expect(await rows('select 1 from users where email like $1', [`%@${company.domain}`])).toEqual([])
    const begun = await call('POST', '/api/sso/test', { token: company.owner.token })
    const options = { assertion: { conditions: { audience: 'https://other.example' } } }
    const answer = await sso.post(
      await sso.answer(begun.data.url, { email: `ida@${company.domain}`, options }),
    )
    expect(answer.location.pathname + answer.location.search).toBe('/account/sso?tested=1')
    const after = await sso.api('GET', '/api/sso', company)
    expect(after.connection?.test).toMatchObject({
      code: 'audience',
      found: 'https://other.example',
      email: null,
    })
    expect(after.connection?.tested_at).toEqual(good.connection?.tested_at)
  })
})

describe('V6.4.5: owners get a mail before a certificate expires', () => {
  test('30, 7 and 1 days before, each once, on any number of workers', async () => {
    const company = await sso.company()
    const second = await people.member(company.owner, 'owner')
    const end = new Date(clock.now().getTime() + 40 * 86_400_000)
    await rows('update sso_connections set certificate_expires_at = $1 where id = $2', [
      end,
      company.connection.id,
    ])
    const level = async () => {
      await Promise.all([1, 2, 3].map(() => mailCertificateReminders(services)))
      return (await rows('select warned_days from sso_connections where id = $1', [company.connection.id]))[0]
    }
    const day = 86_400_000
    expect(await level()).toEqual({ warned_days: null })
    for (const [days, warned] of [
      [10, 30],
      [1, 30],
      [22, 7],
      [6, 1],
      [2, 1],
    ] as const) {
      clock.add(days * day)
      expect(await level()).toEqual({ warned_days: warned })
    }
    clock.add(-41 * day)
    for (const owner of [company.owner, second]) {
      const inbox = `${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(owner.email)}`
      const subjects = async () => {
        const { data } = (await (await fetch(inbox)).json()) as { data: { subject: string }[] } // as: the sandbox's answer
        return data
          .map(({ subject }) => subject)
          .filter(subject => subject.includes('certificate'))
          .sort()
      }
      await expect
        .poll(subjects, { timeout: 20_000 })
        .toEqual([
          'Your SSO certificate expires in 30 days',
          'Your SSO certificate expires in 7 days',
          'Your SSO certificate expires tomorrow',
        ])
    }
    await sso.connect(company)
    expect(await level()).toEqual({ warned_days: null })
  })
})
