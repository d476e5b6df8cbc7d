import { describe, expect, test } from 'vitest'
import { startServer } from '../../../../test/harness/server-process.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { openSsoBrowser, ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { app, clock, config, db } = made
const sso = ssoHelpers(made)
const company = await sso.company()
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
// One person: the plan has room for few.
const email = sso.address(company)
const failed = '/login/saml/callback?saml_callback=1'
/** The page that offers sign-in after an unsolicited answer. */
const start = `/login/saml?connection=${company.connection.id}&begin=here`
const pathOf = ({ location }: { location: URL }) => location.pathname + location.search

/** A request of a browser, and the genuine answer to it. */
async function answered(person: object = {}) {
  const browser = openSsoBrowser(made)
  const { location } = await sso.start(browser, company)
  return { browser, location, posted: await sso.answer(location, { email, ...person }) }
}
/** The same answer with something in it changed, properly signed. */
const ordered = (location: string, options: object) =>
  sso.sign(company, { sso_url: location, person: { email }, options })

describe('T-51: a response works once, in the browser that requested it', () => {
  test('the same response twice in sequence', async () => {
    const { browser, posted } = await answered()
    const first = await sso.post(posted)
    expect((await sso.finish(browser, first.token)).status).toBe(200)
    const second = await sso.post(posted)
    expect([second.token, pathOf(second)]).toEqual([null, start])
  })

  test('fifty in parallel: one sign-in token', async () => {
    const { posted } = await answered()
    const answers = await Promise.all(Array.from({ length: 50 }, () => sso.post(posted)))
    expect(answers.filter(({ token }) => token !== null)).toHaveLength(1)
  })

  test.runIf(!db.embedded)('fifty in parallel on two processes: one sign-in token', async () => {
    const other = await startServer({
      DATABASE_URL: String(db.pool.options.connectionString),
      PUBLIC_URL: config.publicUrl,
      APP_SECRET: 'a secret for tests, long enough to be taken',
      ROLE: 'web',
    })
    try {
      const { posted } = await answered()
      const body = new URLSearchParams({
        SAMLResponse: posted.saml_response,
        RelayState: posted.relay_state,
      })
      const elsewhere = async () => {
        const reply = await fetch(`${other.url}/auth/saml/acs`, { method: 'POST', body, redirect: 'manual' })
        return new URL(reply.headers.get('location') ?? '').searchParams.get('token')
      }
      const here = async () => (await sso.post(posted)).token
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? here() : elsewhere())))
      expect(tokens.filter(token => token !== null)).toHaveLength(1)
    } finally {
      await other.stop()
    }
  })

  test('a sign-in token works once, also in fifty parallel calls, for two minutes', async () => {
    const { browser, posted } = await answered()
    const { token } = await sso.post(posted)
    const answers = await Promise.all(Array.from({ length: 50 }, () => sso.finish(browser, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = await answered()
    const handed = await sso.post(late.posted)
    clock.add(120_000)
    expect((await sso.finish(late.browser, handed.token)).body.code).toBe('sso_failed')
    clock.add(-120_000)
  })

  test('T-05: a response for browser A sent by B signs in neither; the token of A still works in A', async () => {
    const a = await answered()
    const b = openSsoBrowser(made)
    await sso.start(b, company)
    const { token } = await sso.post(a.posted, b.headers())
    for (const browser of [b, openSsoBrowser(made)])
      expect((await sso.finish(browser, token)).body.code).toBe('sso_failed')
    expect((await sso.finish(a.browser, token)).status).toBe(200)
  })

  test('a background request of a page does not use the sign-in, also when its reply is late', async () => {
    const { browser, posted } = await answered()
    browser.saveCookies((await made.call('POST', '/api/auth/passkey/options', { body: {} })).headers)
    expect(browser.cookies()).toMatch(/flow=.*browser=/)
    const { token } = await sso.post(posted)
    expect((await sso.finish(browser, token)).status).toBe(200)
  })

  test('T-05: a link on another site opens our page but starts no sign-in', async () => {
    const browser = openSsoBrowser(made)
    for (const site of ['cross-site', 'same-site']) {
      const { location } = await browser.go(`/auth/saml?domain=${company.domain}`, { 'sec-fetch-site': site })
      expect(location).toBe(`http://localhost:5000/login/saml?domain=${company.domain}`)
    }
    expect(browser.cookies()).toBe('')
    const own = await browser.go(`/auth/saml?domain=${company.domain}`, { 'sec-fetch-site': 'same-origin' })
    expect(own.location).toContain('SAMLRequest=')
  })

  test('without InResponseTo, in the response or in the subject', async () => {
    for (const options of [
      { response: { in_response_to: null } },
      { assertion: { subject_confirmation: { in_response_to: null } } },
      { response: { in_response_to: null }, assertion: { subject_confirmation: { in_response_to: null } } },
    ]) {
      const { location } = await sso.start(openSsoBrowser(made), company)
      expect(pathOf(await sso.post(await ordered(location, options)))).toBe(failed)
    }
  })

  test('a response without a request: started by the provider, or for another request', async () => {
    const acs = {
      acs_url: `${config.publicUrl}/auth/saml/acs`,
      audience: `${config.publicUrl}/auth/saml/metadata`,
    }
    const unasked = await sso.sign(company, { ...acs, person: { email } })
    for (const relay_state of [null, 'https://evil.example/', 'x'.repeat(2000)])
      expect(pathOf(await sso.post({ ...unasked, relay_state }))).toBe(start)
    const [one, two] = [await answered(), await answered()]
    expect(pathOf(await sso.post({ ...one.posted, relay_state: two.posted.relay_state }))).toBe(failed)
    expect((await sso.post(one.posted)).token).not.toBeNull()
  })

  test('an unsolicited response offers a sign-in only when exactly one enabled connection has its issuer', async () => {
    const acs = {
      acs_url: `${config.publicUrl}/auth/saml/acs`,
      audience: `${config.publicUrl}/auth/saml/metadata`,
      person: { email },
    }
    const other = await sso.newCompany()
    const offeredTo = async (of: Pick<typeof company, 'name'>) =>
      pathOf(await sso.post({ ...(await sso.sign({ ...other, ...of }, acs)), relay_state: null }))
    expect(await offeredTo(other)).toBe(failed)
    await sso.proveDomain(other)
    await sso.connect(other)
    expect(await offeredTo(other)).toBe(failed)
    const twice = await sso.company()
    expect(await offeredTo(twice)).toBe(`/login/saml?connection=${twice.connection.id}&begin=here`)
    const second = { ...(await sso.newCompany()), name: twice.name }
    await sso.proveDomain(second)
    await sso.connect(second)
    await sso.test(second)
    await sso.api('PATCH', '/api/sso/connection', second, { enabled: true })
    expect(await offeredTo(twice)).toBe(failed)
  })

  test('a request expires after ten minutes; then the browser is redirected to the start', async () => {
    const { posted } = await answered()
    clock.add(10 * 60_000)
    expect(pathOf(await sso.post(posted))).toBe(start)
    clock.add(-10 * 60_000)
    expect((await sso.post(posted)).token).not.toBeNull()
  })

  test('a forged response consumes nothing: the genuine one still signs in', async () => {
    const { browser, location, posted } = await answered()
    const forgeries = [
      await ordered(location, { key: 'foreign' }),
      await ordered(location, { sign: 'none' }),
      { ...posted, saml_response: Buffer.from('<x/>').toString('base64') },
      { ...posted, saml_response: `${posted.saml_response.slice(0, -8)}AAAAAAA=` },
      { ...posted, saml_response: '' },
    ]
    for (const forged of forgeries) expect(pathOf(await sso.post(forged))).toBe(failed)
    const { token } = await sso.post(posted)
    expect((await sso.finish(browser, token)).status).toBe(200)
  })
})

describe('T-52 V6.7.1 V6.8.2: signed by the right key, and refused through the real route', () => {
  test.each<[string, object]>([
    ['nothing is changed, the control', {}],
    ['another audience', { assertion: { conditions: { audience: 'https://other.example' } } }],
    ['no audience', { assertion: { conditions: { audience: null } } }],
    [
      'another recipient',
      { assertion: { subject_confirmation: { recipient: 'https://other.example/acs' } } },
    ],
    ['no recipient', { assertion: { subject_confirmation: { recipient: null } } }],
    ['another destination', { response: { destination: 'https://other.example/acs' } }],
    ['no destination', { response: { destination: null } }],
    ['another issuer of the assertion', { assertion: { issuer: 'https://other.example' } }],
    ['another issuer of the response', { response: { issuer: 'https://other.example' } }],
    ['expired', { assertion: { conditions: { not_on_or_after: -120 } } }],
    ['not yet', { assertion: { conditions: { not_before: 600 } } }],
    ['the person said no', { response: { status: 'Responder', second_status: 'AuthnFailed' } }],
    ['a session that is over', { assertion: { authn: { session_not_on_or_after: -60 } } }],
    ['nobody’s key', { key: 'foreign' }],
    ['nobody’s key with its own certificate beside it', { key: 'foreign', key_info: 'foreign' }],
    ['nobody’s key with the right certificate beside it', { key: 'foreign', key_info: 'own' }],
    ['SHA-1', { signature_algorithm: 'rsa-sha1' }],
    ['a DOCTYPE', { prefix: '<!DOCTYPE x>' }],
    ['two assertions', { second_assertion: {} }],
  ])('%s', async (name, options) => {
    const { location } = await sso.start(openSsoBrowser(made), company)
    const { token } = await sso.post(await ordered(location, options))
    expect(token === null).toBe(!name.includes('control'))
  })
})

describe('[call:POST /auth/saml/acs] the callback takes forms, of a size, and leads nowhere else', () => {
  const send = (payload: string, type = 'application/x-www-form-urlencoded') =>
    app.inject({ method: 'POST', url: '/auth/saml/acs', headers: { 'content-type': type }, payload })

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'T-78: not %s',
    async type => {
      expect((await send('{}', type)).statusCode).toBe(415)
    },
  )

  test('T-54: not more than 400 kB', async () => {
    expect((await send(`SAMLResponse=${'A'.repeat(400 * 1024)}`)).statusCode).toBe(413)
    expect((await send(`SAMLResponse=${'A'.repeat(390 * 1024)}`)).statusCode).toBe(303)
  })

  test('a repeated field is refused', async () => {
    const { posted } = await answered()
    const form = new URLSearchParams({ SAMLResponse: posted.saml_response, RelayState: posted.relay_state })
    form.append('RelayState', posted.relay_state)
    expect((await send(form.toString())).headers.location).toBe(`http://localhost:5000${start}`)
    form.delete('RelayState')
    form.append('RelayState', posted.relay_state)
    form.append('SAMLResponse', posted.saml_response)
    expect((await send(form.toString())).headers.location).toBe(`http://localhost:5000${failed}`)
    expect((await sso.post(posted)).token).not.toBeNull()
  })

  test('T-75: RelayState and the query are never used as redirect targets', async () => {
    for (const RelayState of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const reply = await send(new URLSearchParams({ SAMLResponse: 'x', RelayState }).toString())
      expect(reply.headers.location).toBe(`http://localhost:5000${failed}`)
    }
    const { location } = await openSsoBrowser(made).go(
      '/auth/saml?domain=//evil.example&connection=https://evil.example',
    )
    expect(location).toBe('http://localhost:5000/login/saml?error=sso_unknown')
  })

  test('responses are not cached', async () => {
    for (const reply of [await send('x=1'), await app.inject('/auth/saml')])
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })
})

test('expired requests are removed', async () => {
  const { posted } = await answered()
  await sso.post(posted)
  await answered()
  const { sweep } = await import('../../../jobs/sweep.ts')
  clock.add(3_600_000)
  await sweep(made.services)
  clock.add(-3_600_000)
  for (const table of ['saml_requests', 'saml_sign_in_tokens', 'saml_assertions'])
    expect(await rows(`select 1 from ${table}`)).toEqual([])
})
