import { connect } from 'node:net'
import { contract } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { fillPath } from '../../test/harness/fill-path.ts'
import { makeTestApp } from '../../test/harness.ts'

const { app, call, people } = await makeTestApp()
const all = Object.values(contract).flatMap(table => Object.values(table))

test.each([
  ['en', 'Idempotency-Key is not valid'],
  ['de', 'Idempotency-Key ist nicht gültig'],
])('an Idempotency-Key that is none is named (%s)', async (language, message) => {
  const headers = { 'idempotency-key': 'short', 'accept-language': language }
  const body = {
    first_name: 'A',
    last_name: 'B',
    email: 'k@test.plinth.example',
    password: 'good-password-1',
  }
  const answer = await call('POST', '/api/account', { headers, body })
  expect(answer).toMatchObject({ status: 422, body: { message, inputError: 'Idempotency-Key' } })
})

describe('routes', () => {
  test.each(all.map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
    '%s %s asks for what it needs',
    async (method, url, { needs, body }) => {
      const answer = await call(method, fillPath(url), {
        body: method === 'GET' || method === 'DELETE' ? undefined : {},
      })
      // A public call runs when it takes no input; otherwise it names the missing field.
      if (needs === 'public' && (!body || body.safeParse({}).success))
        expect(answer).toMatchObject({ status: 200, body: { data: {} } })
      else if (needs === 'public')
        expect(answer).toMatchObject({
          status: 422,
          body: { code: 'invalid_input', inputError: expect.any(String) },
        })
      else expect(answer).toMatchObject({ status: 401, body: { code: 'session_required' } })
    },
  )

  test('a path with another method is a 405 with Allow, an unknown path a JSON 404', async () => {
    const wrong = await call('PUT', '/api/auth', { body: {} })
    expect([wrong.status, wrong.headers.allow, wrong.body.code]).toEqual([
      405,
      'GET, POST, DELETE',
      'method_not_allowed',
    ])
    // A path with an id has a method; no page exists under an arbitrary name.
    const named = await app.inject({ url: '/api/user/x.css', headers: { accept: 'text/html' } })
    expect([named.statusCode, named.headers['content-type']]).toEqual([
      405,
      'application/json; charset=utf-8',
    ])
    for (const url of [
      '/api/nope',
      '/api/auth/x.css',
      '/api/user/permissions/x.css',
      '/api',
      '/api/../api/nope',
      '/assets/none.js',
    ]) {
      const answer = await app.inject({ url, headers: { accept: 'text/html' } })
      expect([answer.statusCode, answer.headers['content-type']], url).toEqual([
        404,
        'application/json; charset=utf-8',
      ])
    }
    for (const url of ['/.git/HEAD', '/.env', '/package.json'])
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).statusCode, url).toBe(404)
  })

  test('TRACE is not known', async () => {
    const answer = await app.inject({ method: 'TRACE' as 'GET', url: '/api/auth' }) // as: inject's types know no TRACE
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  })
})

describe('headers [T-01]', () => {
  test.each(['/api/auth', '/api/nope', '/live', '/ready', '/login', '/nothing-here'])(
    '%s carries the security headers',
    async url => {
      const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/)
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  test.each([
    [200, 'HEAD', '/api/auth', {}],
    [400, 'POST', '/api/auth', { 'content-type': 'application/json' }],
    [404, 'GET', '/%%', {}],
    [404, 'GET', '/api/%%', {}],
    [404, 'GET', `/api/${'x'.repeat(5000)}`, {}],
    [405, 'PUT', '/api/auth', {}],
    [415, 'POST', '/api/auth', { 'content-type': 'text/plain' }],
    [421, 'GET', '/api/auth', { host: 'evil.example' }],
    [421, 'GET', '/%%', { host: 'evil.example' }],
    [421, 'GET', '/api/auth', { host: '' }],
    [421, 'GET', 'http://evil.example/api/auth', {}],
    [200, 'GET', 'http://LOCALHOST:5000/api/auth', {}],
    [200, 'GET', '/%61pi/auth', {}],
    [404, 'GET', '/%61pi/nope', {}],
    [400, 'GET', '/api/auth', { 'bad header': 'x' }],
    [431, 'GET', '/api/auth', { 'x-long': 'x'.repeat(20_000) }],
  ])('on the wire: a %i to %s %s carries them all', async (status, method, url, more) => {
    const headers = { host: 'localhost:5000', connection: 'close', 'accept-language': 'de', ...more }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const body = [400, 415].includes(status) ? 'content-length: 1\r\n\r\n{' : '\r\n'
    const answer = await raw(await port(), `${method} ${url} HTTP/1.1\r\n${lines.join('')}${body}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const header of [
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'cross-origin-opener-policy: same-origin',
      'cross-origin-resource-policy: same-origin',
      'x-frame-options: DENY',
      'permissions-policy: camera=()',
      "content-security-policy: default-src 'none'",
    ])
      expect(answer).toContain(`\r\n${header}`)
    if (/api/.test(url)) expect(answer).toContain('cache-control: no-store')
    expect(answer).not.toMatch(/FST_|"error"|"statusCode"/)
    if (status === 404) expect(answer).toContain('Hier ist nichts')
  })

  test('HEAD of a page says what GET would', async () => {
    const of = async (method: 'GET' | 'HEAD') => {
      const { statusCode, headers } = await app.inject({
        method,
        url: '/dashboard',
        headers: { accept: 'text/html' },
      })
      return { statusCode, type: headers['content-type'], length: headers['content-length'] }
    }
    expect(await of('HEAD')).toEqual(await of('GET'))
  })

  test('browsers report what the policy stopped; a report is counted and can do nothing else', async () => {
    const send = (payload: unknown, type = 'application/csp-report') =>
      app.inject({
        method: 'POST',
        url: '/csp-report',
        payload: JSON.stringify(payload),
        headers: { 'content-type': type },
      })
    expect((await app.inject({ url: '/login' })).headers['content-security-policy']).toContain(
      'report-uri /csp-report',
    )
    expect(
      (await send({ 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'inline' } }))
        .statusCode,
    ).toBe(204)
    expect(
      (
        await send(
          [
            {
              type: 'csp-violation',
              body: { effectiveDirective: 'img-src', blockedURL: 'http://evil.example/?secret' },
            },
          ],
          'application/reports+json',
        )
      ).statusCode,
    ).toBe(204)
    for (const odd of [null, 7, [], [null], { 'csp-report': { 'effective-directive': { a: 1 } } }])
      expect((await send(odd)).statusCode).toBe(204)
    expect((await send('x'.repeat(20_000))).statusCode).toBe(413)
    expect((await send({}, 'text/plain')).statusCode).toBe(415)
    const metrics = (await app.inject({ url: '/metrics' })).body
    expect(metrics).toContain('csp_reports_total{directive="script-src"} 1')
    expect(metrics).toContain('csp_reports_total{directive="img-src"} 1')
  })

  test('answers of the API are never stored', async () => {
    expect((await call('GET', '/api/auth')).headers['cache-control']).toBe('no-store')
  })

  test('a foreign host is not served, whatever else is claimed [T-74]', async () => {
    const to = (host: string, more = {}) => app.inject({ url: '/api/auth', headers: { host, ...more } })
    for (const host of ['localhost:5000', 'LocalHost:5000', 'localhost', '127.0.0.1:80'])
      expect((await to(host)).statusCode, host).toBe(200)
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'localhost:5000@evil.example',
      'localhost/x',
    ])
      expect((await to(host)).statusCode, host).toBe(421)
    expect((await to('evil.example', { 'x-forwarded-host': 'localhost:5000' })).statusCode).toBe(421)
  })

  test('a link in a mail is made of our own address alone [T-74]', async () => {
    const email = `host-${Date.now()}@test.plinth.example`
    await call('POST', '/api/account', {
      body: { first_name: 'A', last_name: 'B', email, password: 'good-password-1' },
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-original-host': 'evil.example',
      },
    })
    const mail = await people.mailTo(email)
    expect(mail.html + mail.text).not.toContain('evil.example')
  })
})

describe('limits [T-79]', () => {
  test('metrics are for loopback, forwarded or not', async () => {
    expect((await app.inject({ url: '/metrics' })).statusCode).toBe(200)
    expect((await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })).statusCode).toBe(404)
    expect(
      (await app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode,
    ).toBe(404)
  })

  test('a header of 20 kB is refused by the parser', async () => {
    const answer = await raw(
      await port(),
      `GET /api/auth HTTP/1.1\r\nHost: localhost:5000\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 431/)
    expect(
      await raw(
        await port(),
        'GET /api/auth HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400/)
  })
})

/** Where the server listens, from the first test on that needs a real connection. */
async function port(): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy())
  })
}
