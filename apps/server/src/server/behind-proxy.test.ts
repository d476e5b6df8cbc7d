import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'

const host = 'app.plinth.example'
const PUBLIC_URL = `https://${host}`

describe('a request that reached the trusted proxy by plain http [V4.1.2]', async () => {
  const { app } = await makeTestApp({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1' })
  const ask = (url: string, proto: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers: { host, accept: 'text/html', 'x-forwarded-proto': proto } })

  test.each(['/api/auth', '/api/nothing', '/auth/social/google'])(
    '%s is refused, not redirected',
    async url => {
      const answer = await ask(url, 'http')
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { message: 'Use https for this address', code: 'https_required' },
      ])
      expect(answer.headers.location).toBeUndefined()
    },
  )

  test('a page redirects to https, whatever its address looks like', async () => {
    for (const path of ['/', '/login?next=%2Faccount', '//evil.example/']) {
      const answer = await ask(path, 'http')
      expect([answer.statusCode, answer.headers.location]).toEqual([308, PUBLIC_URL + path])
    }
    expect((await ask('/login', 'http', 'POST')).statusCode).toBe(403)
  })

  test('the last proxy decides, and probes are always answered', async () => {
    expect((await ask('/api/auth', 'https, http')).statusCode).toBe(403)
    expect((await ask('/api/auth', 'http, https')).statusCode).toBe(200)
    expect((await ask('/api/auth', 'https')).statusCode).toBe(200)
    expect((await app.inject({ url: '/api/auth', headers: { host } })).statusCode).toBe(200)
    expect((await ask('/live', 'http')).statusCode).toBe(200)
  })
})

describe('a proxy in front while TRUST_PROXY is unset', () => {
  const logged = async (env: Record<string, string>, ...requests: Record<string, string>[]) => {
    const lines: string[] = []
    const { app } = await makeTestApp({ LOG_LEVEL: 'warn', ...env }, { write: line => lines.push(line) })
    for (const headers of requests) await app.inject({ url: '/live', headers })
    return lines.filter(line => line.includes('TRUST_PROXY'))
  }

  test.each(['x-forwarded-for', 'forwarded'])('%s is warned of once', async header => {
    const lines = await logged({}, {}, { [header]: 'for=203.0.113.7' }, { [header]: 'for=203.0.113.8' })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, peer: '127.0.0.1' })
  })

  test('nothing is said without such a header or with TRUST_PROXY', async () => {
    expect(await logged({}, {})).toEqual([])
    expect(await logged({ TRUST_PROXY: '10.0.0.0/8' }, { forwarded: 'for=203.0.113.7' })).toEqual([])
  })
})
