import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { makeTestApp } from '../harness.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>
type Answer = Awaited<ReturnType<App['call']>>

/** The code of an authenticator app (RFC 6238, RFC 4648), implemented independently of the code under test. */
export function totpCode(secret: string, at: Date, steps = 0): string {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map(byte => Number.parseInt(byte, 2)) ?? [],
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000) + steps))
  const hash = createHmac('sha1', key).update(counter).digest()
  const number = hash.readUInt32BE(hash.readUInt8(19) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Six digits that are right in no step near this one. */
export function wrongTotpCode(secret: string, at: Date): string {
  const right = [-2, -1, 0, 1, 2].map(steps => totpCode(secret, at, steps))
  return (
    ['000000', '000001', '000002', '000003', '000004', '000005'].find(code => !right.includes(code)) ?? ''
  )
}

/**
 * Turns the second factor of a person on whose session is fresh.
 *
 * `next()` is a code that was not used yet; it turns the clock for that.
 */
export async function enableTwoFactor<P extends { token: string }>({ call, clock }: App, person: P) {
  const begun = await call('PUT', '/api/user/2fa', { token: person.token, body: { '2fa_enabled': true } })
  const secret: string = begun.data.secret
  const next = () => {
    clock.add(30_000)
    return totpCode(secret, clock.now())
  }
  const proven = await call('POST', '/api/user/2fa/verify', { token: person.token, body: { code: next() } })
  if (proven.status !== 200) throw new Error(`The second factor was refused: ${proven.text}`)
  const { token, backup_code } = proven.data as { token: string; backup_code: string } // as: the contract's reply
  return { ...person, token, secret, backup_code, next }
}

/**
 * T-17, for every way in: the answer is a challenge and no session, and a code of the user opens one.
 * @returns the session's answer
 */
export async function expectTwoFactorChallenge(app: App, answer: Answer, person: { next: () => string }) {
  expect(answer).toMatchObject({ status: 200, data: { '2fa_required': true } })
  expect(Object.keys(answer.data).sort()).toEqual(['2fa_required', 'token'])
  const jwt: string = answer.data.token
  expect((await app.call('GET', '/api/auth', { token: jwt })).data).toEqual({ authenticated: false })
  const opened = await app.call('POST', '/api/auth/otp', { body: { jwt, code: person.next() } })
  expect(opened).toMatchObject({ status: 200, data: { token: expect.stringMatching(/^[\w-]{43}$/) } })
  expect((await app.call('GET', '/api/auth', { token: opened.data.token })).data.authenticated).toBe(true)
  return opened
}
