import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeTestApp } from '../../../test/harness.ts'
import { demoFigures } from './rules.ts'

const { app, call, people } = await makeTestApp()

test('replies with four stats, two years of revenue and 200 users [call:GET /api/demo] [entity:demo]', async () => {
  const user = await people.owner()
  const { data } = await call('GET', '/api/demo', { token: user.token })
  const demo = data as ReturnType<typeof demoFigures> // as: the reply's shape
  expect(demo.stats).toHaveLength(4)
  expect(Object.keys(demo).sort()).toEqual(['revenue', 'stats', 'users'])
  expect(new Set(demo.stats.map(({ label }) => label)).size).toBe(4)
  expect(demo.stats.every(({ change }) => /^[+-]\d+\.\d%$/.test(change))).toBe(true)
  expect([demo.revenue.months, demo.revenue.current, demo.revenue.previous].map(list => list.length)).toEqual(
    [12, 12, 12],
  )
  expect(demo.users).toHaveLength(200)
  expect(new Set(demo.users.map(({ id }) => id)).size).toBe(200)
  expect((await call('GET', '/api/demo', { token: user.token })).data).toEqual(data)
})

test('replies compressed, and with 304 to the account that has it', async () => {
  const [user, other] = [await people.owner(), await people.owner()]
  const ask = ({ token }: { token: string }, headers: Record<string, string> = {}) =>
    app.inject({ url: '/api/demo', headers: { authorization: `Bearer ${token}`, ...headers } })
  const plain = await ask(user)
  const brief = await ask(user, { 'accept-encoding': 'gzip, br' })
  expect(brief.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding',
  })
  expect(brotliDecompressSync(brief.rawPayload).toString()).toBe(plain.body)
  expect(brief.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  const tag = { 'if-none-match': String(brief.headers.etag) }
  const again = await ask(user, tag)
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await ask(other, tag)).statusCode).toBe(200)
  expect((await ask({ token: 'unknown' }, tag)).statusCode).toBe(401)
})

test('differs between accounts and refuses visitors', async () => {
  const now = new Date('2026-11-20T12:00:00Z')
  expect(demoFigures('a', now)).toEqual(demoFigures('a', now))
  expect(demoFigures('a', now).revenue).not.toEqual(demoFigures('b', now).revenue)
  expect(demoFigures('a', now).revenue.months.at(-1)).toBe('2026-11-01')
  expect((await call('GET', '/api/demo')).status).toBe(401)
})
