import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { openSsoBrowser } from '../../test/sign-in/sso.ts'

const made = await makeTestApp()
const page = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

async function visit(host: string, url = '/login?next=%2Fa%3Fb', more: Record<string, string> = {}) {
  const { statusCode, headers } = await made.app.inject({ url, headers: { host, ...page, ...more } })
  return statusCode === 307 ? headers.location : statusCode
}

describe('a page opened under another name of this machine', () => {
  test.each(['127.0.0.1:5000', '[::1]:5000'])('%s: redirects to the same page of PUBLIC_URL', async host => {
    expect(await visit(host)).toBe('http://localhost:5000/login?next=%2Fa%3Fb')
    expect(await visit(host, '//evil.example/login')).toBe('http://localhost:5000//evil.example/login')
  })

  test('stays where it is at PUBLIC_URL itself, and at a port that PUBLIC_URL does not have', async () => {
    expect(await visit('localhost:5000')).toBe(200)
    expect(await visit('127.0.0.1:8080')).toBe(200)
  })

  test('calls, files and probes are answered under each name', async () => {
    expect(await visit('127.0.0.1:5000', '/api/settings', { 'sec-fetch-dest': 'empty' })).toBe(200)
    expect(await visit('127.0.0.1:5000', '/live', { 'sec-fetch-dest': '' })).toBe(200)
    const posted = await made.app.inject({
      method: 'POST',
      url: '/api/auth',
      headers: { host: '127.0.0.1:5000', ...page },
      payload: {},
    })
    expect(posted.statusCode).toBe(422)
  })

  test('a social sign-in begins where it comes back to', async () => {
    const { location } = await openSsoBrowser(made).go('/auth/social/google', {
      host: '127.0.0.1:5000',
      ...page,
    })
    expect(location).toBe('http://localhost:5000/auth/social/google')
  })
})

test('a product whose PUBLIC_URL is not loopback redirects no page', async () => {
  const { app } = await makeTestApp({ PUBLIC_URL: 'https://plinth.example' })
  const { statusCode } = await app.inject({ url: '/live', headers: { host: 'plinth.example', ...page } })
  expect(statusCode).toBe(200)
})
