import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeTestApp } from '../harness.ts'
import { makeTokenKinds } from './token-kinds.ts'

/** Each kind of token is accepted by its own endpoint only, for every owner and every caller. */
const made = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { call } = made
const { kinds, tokenEndpoints, presentToken } = await makeTokenKinds(made)

/** A field that could hold a secret of ours, by its name, at any depth of a body. */
const takesToken = (endpoint: Endpoint) =>
  endpoint.body !== undefined &&
  /"(\w*(token|jwt|secret)\w*|invite_id)":\{/.test(
    JSON.stringify(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' })),
  )

/** Whose token is a card's: the payment provider's own, and no way in. */
const cardTokens = [
  'POST /api/account/plan',
  'PATCH /api/account/plan',
  'POST /api/account/upgrade',
  'PATCH /api/account/card',
]

test('the table below has every call of the contract that takes a token', () => {
  const all: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))
  const taking = all.filter(takesToken).map(({ method, path }) => `${method} ${path}`)
  const expected = taking.filter(at => !cardTokens.includes(at))
  const written = new Set(Object.keys(tokenEndpoints).map(at => at.split(' as ')[0]))
  expect([...written].sort()).toEqual(expected.sort())
})

const swaps = Object.keys(tokenEndpoints).flatMap(at =>
  Object.keys(kinds)
    .filter(kind => kind !== tokenEndpoints[at]?.opens && kind !== tokenEndpoints[at]?.also)
    .map(kind => [kind, at] as const),
)

describe('T-13 V9.2.2 a token of another kind is none', () => {
  test.each(swaps)('%s at %s', async (kind, at) => {
    const held = kinds[kind] ?? { token: '' }
    expect(held.token).toMatch(kind === 'api_key' ? /^plinth_test_\w{38}$/ : /^[\w-]{43}$/)
    const answer = await presentToken(at, held)
    expect([401, 403, 404, 409, 422]).toContain(answer.status)
    expect(answer.data).toBeUndefined()
  })

  test.each(Object.keys(kinds).filter(kind => kind !== 'session'))('%s as a session', async kind => {
    const { token: value } = kinds[kind] ?? { token: '' }
    expect((await call('GET', '/api/auth', { token: value })).data).toEqual({ authenticated: false })
    // An API key authenticates, but has no permission.
    const status = kind === 'api_key' ? 403 : 401
    expect((await call('GET', '/api/user', { token: value })).status).toBe(status)
  })
})

describe('each token is still valid at its own endpoint', () => {
  test('session', async () => {
    expect((await call('GET', '/api/user', { token: kinds.session?.token })).status).toBe(200)
  })
  test('API key', async () => {
    const body = { name: 'parcel_sent' }
    expect((await call('POST', '/api/event', { token: kinds.api_key?.token, body })).status).toBe(200)
  })
  test.each(Object.entries(tokenEndpoints))('%s', async (at, { opens }) => {
    // A code of the next half minute: the one that enrolled is used up.
    const answer = await presentToken(at, kinds[opens] ?? { token: '' })
    expect(answer).toMatchObject({ status: 200 })
  })
})
