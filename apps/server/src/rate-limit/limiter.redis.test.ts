import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'

/** A proxy before Redis that can drop connections or stop forwarding. */
async function openWire() {
  const target = new URL(inject('redisUrl') ?? '')
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', chunk => silent || far.write(chunk))
    far.on('data', chunk => silent || near.write(chunk))
  })
  let port = 0
  async function listen() {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  }
  await listen()
  return {
    // The Redis database of this test worker.
    url: `redis://127.0.0.1:${port}/${Number(process.env.VITEST_POOL_ID ?? 1) % 16}`,
    silence(on: boolean) {
      silent = on
    },
    async cut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    mend: listen,
    async end() {
      if (server.listening) await this.cut()
    },
  }
}

const wire = await openWire()
const { call, people, db } = await makeTestApp({
  RATE_LIMIT_FACTOR: '1',
  TRUST_PROXY: '127.0.0.1',
  REDIS_URL: wire.url,
})
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const busy = { status: 503, body: { code: 'busy' }, headers: { 'retry-after': '2' } }

describe('rate limits in Redis [T-79]', () => {
  test('no rate limit is counted in the database', async () => {
    const ended = await call('POST', '/api/auth/session/end', {
      body: { token: 'x' },
      headers: from('192.0.2.1'),
    })
    expect(ended.status).toBe(422)
    const { rows } = await db.asOwnerOfJobs('select key from rate_limits')
    expect(rows).toEqual([])
  })

  test('without Redis, limited calls are refused and sessions stay valid; both recover when Redis returns', async () => {
    const user = await people.verified()
    const limited = () =>
      call('POST', '/api/auth/session/end', { body: { token: 'x' }, headers: from('192.0.2.2') })
    const askForLink = () =>
      call('POST', '/api/auth/magic', { body: { email: user.email }, headers: from('192.0.2.2') })
    expect((await limited()).status).toBe(422)
    expect((await askForLink()).status).toBe(200)
    await wire.cut()
    onTestFinished(() => wire.end())
    expect(await limited()).toMatchObject(busy)
    expect(await askForLink()).toMatchObject(busy)
    expect((await call('GET', '/api/auth', { token: user.token })).data.authenticated).toBe(true)
    expect((await call('GET', '/live')).status).toBe(200)
    await wire.mend()
    await vi.waitFor(async () => expect((await askForLink()).status).toBe(200), { timeout: 10_000 })
  })

  test('without Redis, failed passwords are still counted', async () => {
    await wire.end()
    const body = { email: freshEmail(), password: 'wrong-one-1' }
    const signIn = () => call('POST', '/api/auth', { body, headers: from('192.0.2.4') })
    for (let n = 0; n < 6; n++) expect((await signIn()).status).toBe(422)
    expect((await signIn()).status).toBe(429)
  })

  test('a call is refused when Redis does not reply', async () => {
    await wire.mend()
    const limited = () =>
      call('POST', '/api/auth/session/end', { body: { token: 'x' }, headers: from('192.0.2.3') })
    await vi.waitFor(async () => expect((await limited()).status).toBe(422), { timeout: 10_000 })
    wire.silence(true)
    expect(await limited()).toMatchObject(busy)
    await wire.end()
  })
})
