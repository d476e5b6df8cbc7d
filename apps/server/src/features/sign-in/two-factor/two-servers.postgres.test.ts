import { afterAll, expect, test } from 'vitest'
import { callBothServers } from '../../../../test/harness/call-both-servers.ts'
import { startServer } from '../../../../test/harness/server-process.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { totpCode, wrongTotpCode } from '../../../../test/sign-in/two-factor.ts'

// The suite's own app is one server, a process beside it the other; both on one PostgreSQL, with one secret.
const { call, people, config, databaseUrl } = await makeTestApp()
const other = await startServer({
  DATABASE_URL: databaseUrl ?? '',
  RATE_LIMIT_FACTOR: '1000',
  APP_SECRET: 'a secret for tests, long enough to be taken',
  DATA_DIR: config.dataDir,
})
afterAll(() => other.stop())

/** Codes for the time that both clocks show: this step's turns it on, the next one is for the test. */
async function somebody() {
  const user = await people.owner()
  const { token } = user
  const begun = await call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': true } })
  const { secret } = begun.data
  const body = { code: totpCode(secret, new Date()) }
  const { data } = await call('POST', '/api/user/2fa/verify', { token, body })
  return { ...user, secret, backup_code: data.backup_code }
}
const begin = async (email: string): Promise<string> =>
  (await call('POST', '/api/auth', { body: { email, password } })).data.token

const begin50 = (email: string) => Promise.all(Array.from({ length: 50 }, () => begin(email)))

/** The same second step on both servers at once; how often each code of an answer came. */
const step = (times: number, body: { jwt: string; code: string }) =>
  callBothServers(call, other.url, times, { path: '/api/auth/otp', body })
/** The same code in each challenge. */
const steps = (challenges: string[], code: string) =>
  callBothServers(call, other.url, challenges.length, n => ({
    path: '/api/auth/otp',
    body: { jwt: challenges[n], code },
  }))
/** It is used up for the others, of which as many are looked at as in any hour (T-15). */
const oneOfFifty = { in: 1, code_wrong: 20, 429: 29 }

test('[T-13] of 50 second steps of one challenge on two servers one signs in', async () => {
  const person = await somebody()
  const jwt = await begin(person.email)
  const code = totpCode(person.secret, new Date(), 1)
  expect(await step(50, { jwt, code })).toEqual({ in: 1, challenge_expired: 49 })
})

test('[T-13] and so with the backup code', async () => {
  const person = await somebody()
  const body = { jwt: await begin(person.email), code: person.backup_code }
  expect(await step(50, body)).toEqual({ in: 1, challenge_expired: 49 })
})

test('[T-16] one code in 50 challenges on two servers: one signs in', async () => {
  const person = await somebody()
  const challenges = await begin50(person.email)
  const code = totpCode(person.secret, new Date(), 1)
  expect(await steps(challenges, code)).toEqual(oneOfFifty)
})

test('[T-13] [T-16] of parallel sign-ins with the backup code one succeeds', async () => {
  const person = await somebody()
  expect(await steps(await begin50(person.email), person.backup_code)).toEqual(oneOfFifty)
})

test('[T-15] of 60 guesses at one challenge on two servers five are checked', async () => {
  const person = await somebody()
  const body = { jwt: await begin(person.email), code: wrongTotpCode(person.secret, new Date()) }
  expect(await step(60, body)).toEqual({ code_wrong: 4, challenge_expired: 56 })
})
