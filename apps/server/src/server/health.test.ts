import { expect, onTestFinished, test, vi } from 'vitest'
import { productionEnv } from '../../test/harness/production-env.ts'
import { makeTestApp } from '../../test/harness.ts'

const { app, db } = await makeTestApp()
const ready = async () => {
  const { statusCode, body } = await app.inject({ url: '/ready' })
  return [statusCode, JSON.parse(body)]
}

test('[call:GET /live] the process answers, whatever the database does', async () => {
  const query = vi.spyOn(db.pool, 'query')
  onTestFinished(() => query.mockRestore())
  query.mockImplementation(() => Promise.reject(new Error('gone')))
  const { statusCode, body } = await app.inject({ url: '/live' })
  expect([statusCode, JSON.parse(body)]).toEqual([200, { live: true }])
})

test('[call:GET /ready] /ready says what the database says, and no when it says nothing at all', async () => {
  expect(await ready()).toEqual([200, { ready: true }])
  const query = vi.spyOn(db.pool, 'query')
  onTestFinished(() => query.mockRestore())
  query.mockImplementationOnce(() => Promise.reject(new Error('gone')))
  expect(await ready()).toEqual([503, { ready: false }])
  // A black hole: the packets leave and nothing comes back.
  query.mockImplementationOnce(() => new Promise(() => {}))
  expect(await ready()).toEqual([503, { ready: false }])
})

test('in production /metrics needs the token on loopback too [V13.4.5]', async () => {
  const token = 'a-token-for-the-collector-of-figures'
  const { app } = await makeTestApp({ ...productionEnv, RATE_LIMIT_FACTOR: '1', METRICS_TOKEN: token })
  const host = new URL(productionEnv.PUBLIC_URL).host
  const ask = (headers: Record<string, string>) =>
    app.inject({ url: '/metrics', headers: { host, ...headers } })
  expect((await ask({})).statusCode).toBe(404)
  expect((await ask({ 'x-real-ip': '127.0.0.1' })).statusCode).toBe(404)
  expect((await ask({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
})

test('[call:GET /metrics] are Prometheus text for loopback, and for others with the token alone', async () => {
  const { app } = await makeTestApp({ METRICS_TOKEN: 'a-token-for-the-collector-of-figures' })
  const ask = (remoteAddress: string, authorization?: string) =>
    app.inject({ url: '/metrics', remoteAddress, headers: authorization ? { authorization } : {} })
  await app.inject({ url: '/live' })
  const near = await ask('127.0.0.1')
  expect([near.statusCode, near.headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=/),
  ])
  expect(near.body).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/live",status="200"\} 1/,
  )
  // What the process measures of itself, once, however many apps it runs: here two, asked twice.
  for (const { body } of [near, await ask('127.0.0.1')])
    expect(body.match(/^# TYPE (process_cpu_seconds_total|nodejs_eventloop_lag_seconds) /gm)).toHaveLength(2)
  expect((await ask('203.0.113.9')).statusCode).toBe(404)
  expect((await ask('203.0.113.9', 'Bearer another-token-of-the-same-length-as')).statusCode).toBe(404)
  expect((await ask('203.0.113.9', 'Bearer a-token-for-the-collector-of-figures')).statusCode).toBe(200)
})
