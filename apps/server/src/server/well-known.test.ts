import { expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'

const { app, config, clock } = await makeTestApp({ SUPPORT_EMAIL: 'security@plinth.example' })
clock.freeze()

test('security.txt names the contact and never runs out', async () => {
  for (const years of [0, 3]) {
    clock.add(years * 365 * 86_400_000)
    const { statusCode, headers, body } = await app.inject('/.well-known/security.txt')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toMatch(/^Contact: mailto:security@plinth\.example$/m)
    expect(body).toContain(`Canonical: ${config.publicUrl}/.well-known/security.txt\n`)
    const expires = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? '')
    const days = (expires - clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(170)
    expect(days).toBeLessThan(365)
  }
})

test('password managers are led to the password screen', async () => {
  const { statusCode, headers } = await app.inject('/.well-known/change-password')
  expect([statusCode, headers.location]).toEqual([303, '/account/password'])
  // They check first that unknown addresses are no 200.
  const probe = await app.inject(
    '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  )
  expect(probe.statusCode).toBe(404)
})
