import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { type Config, parseConfig } from '../config.ts'
import { headersOf, hostCheck, secureHeaders } from './headers.ts'

const config = parseConfig({ DATA_DIR: temporaryFolder() })

test('a public address is one host, in capitals and with the port of its scheme too, and nothing else is [T-74]', () => {
  const check = hostCheck({ ...config, env: 'production', publicUrl: 'https://app.plinth.example' })
  const served = (host: string | undefined, url = '/login') => {
    try {
      check({ headers: { host }, url, routeOptions: {} } as FastifyRequest) // as: all that is read
      return true
    } catch {
      return false
    }
  }
  for (const host of ['app.plinth.example', 'APP.plinth.example', 'app.plinth.example:443'])
    expect([host, served(host)]).toEqual([host, true])
  for (const host of ['app.plinth.example:80', 'app.plinth.example.', 'localhost', '127.0.0.1', undefined])
    expect([host, served(host)]).toEqual([host, false])
  expect(served('app.plinth.example', 'https://app.plinth.example/login')).toBe(true)
  expect(served('app.plinth.example', 'https://evil.example/login')).toBe(false)
  expect(served('app.plinth.example', '*')).toBe(false)
  expect(served('10.0.0.7:5000', '/ready')).toBe(true)
})

test('reports have an address that the browser takes: a named endpoint by https alone [T-01] [V3.4.7]', () => {
  const reporting = (publicUrl: string) => {
    const { page } = headersOf({ ...config, publicUrl })
    const policy = page['content-security-policy'] ?? ''
    return { endpoints: page['reporting-endpoints'], directives: policy.match(/report-[^;]+/g) }
  }
  expect(reporting('https://app.plinth.example')).toEqual({
    endpoints: 'csp="/csp-report"',
    directives: ['report-uri /csp-report', 'report-to csp'],
  })
  expect(reporting('http://localhost:5000')).toEqual({ directives: ['report-uri /csp-report'] })
})

test('https is demanded of subdomains, unless HSTS_SUBDOMAINS is 0', () => {
  const demand = (hstsSubdomains: boolean) =>
    headersOf({ ...config, publicUrl: 'https://app.plinth.example', hstsSubdomains }).page[
      'strict-transport-security'
    ]
  expect(demand(true)).toBe('max-age=31536000; includeSubDomains')
  expect(demand(false)).toBe('max-age=31536000')
  expect(parseConfig({ DATA_DIR: temporaryFolder() }).hstsSubdomains).toBe(true)
})

describe('the provider’s script is let in where a card is typed, and nowhere else [T-02] [V3.4.3] [V3.6.1]', () => {
  const real: Config = { ...config, inboxUrl: null, payments: { ...config.payments, sandboxUrl: null } }
  const doors = ['/signup/plan', '/account/billing', '/account/upgrade']

  async function headersAt(path: string, of = real) {
    const app = Fastify()
    secureHeaders(app, of)
    app.setNotFoundHandler((_request, reply) => reply.send(''))
    const { headers } = await app.inject(path)
    const policy = String(headers['content-security-policy'])
    const directives = Object.fromEntries(
      policy.split('; ').map(part => [part.split(' ')[0], part.slice(part.indexOf(' ') + 1)]),
    )
    return { policy, directives, permissions: String(headers['permissions-policy']) }
  }

  test.each([...doors, '/account/upgrade?plan=scale', '/account/billing/'])(
    '%s allows the provider',
    async path => {
      const { directives, permissions } = await headersAt(path)
      expect(directives).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
        'connect-src': "'self' https://api.stripe.com",
        'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
        'style-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'require-trusted-types-for': "'script'",
        'trusted-types': 'default',
      })
      expect(permissions).toContain('payment=(self "https://js.stripe.com"')
    },
  )

  test.each([
    '/',
    '/login',
    '/dashboard',
    '/account',
    '/account/profile',
    '/signup',
    '/account/billing/x',
    '/api/auth',
  ])('%s has none', async path => {
    const { policy, directives, permissions } = await headersAt(path)
    expect(policy).not.toContain('stripe')
    expect(permissions).not.toContain('stripe')
    // What answers a call is no page, and its policy allows nothing at all.
    expect(directives['trusted-types']).toBe(path.startsWith('/api/') ? undefined : "'none'")
    if (path.startsWith('/api/')) expect(directives['default-src']).toBe("'none'")
  })

  test('with the sandbox nothing is let in anywhere', async () => {
    const sandbox: Config = {
      ...config,
      payments: { ...config.payments, sandboxUrl: 'http://localhost:5001' },
    }
    const { policy } = await headersAt('/dashboard', sandbox)
    expect(policy).toContain("connect-src 'self' http://localhost:5001")
    expect(policy).toContain('frame-src http://localhost:5001')
    for (const path of doors) expect((await headersAt(path, sandbox)).policy).toBe(policy)
  })

  test('an inbox beside real keys keeps its place', async () => {
    const { directives } = await headersAt('/account/billing', { ...real, inboxUrl: 'http://localhost:5001' })
    expect(directives['frame-src']).toBe(
      'http://localhost:5001 https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    )
    expect(directives['connect-src']).toBe("'self' http://localhost:5001 https://api.stripe.com")
  })
})
