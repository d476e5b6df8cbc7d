import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { handleErrors } from './error-handler.ts'
import { serveWeb } from './static.ts'

const place = temporaryFolder()
// Where somebody keeps it may have any name.
const dist = join(place, 'assets', 'dist')
const app = fastify()
afterAll(async () => {
  await app.close()
})

await mkdir(join(dist, 'assets'), { recursive: true })
const script = 'export const plan = 1'
for (const [file, content] of [
  ['index.html', '<!doctype html>'],
  ['.sources', 'what it was built from'],
  ['theme.js', script],
  ['assets/Plan-a1b2.js', script],
  ['assets/Plan-a1b2.js.br', brotliCompressSync(script)],
  ['assets/Plan-a1b2.js.map', '{}'],
] as const)
  await writeFile(join(dist, file), content)
handleErrors(app)
await serveWeb(app, path => (path === '/api/key' ? ['POST'] : []), dist)
const at = await app.listen({ port: 0, host: '127.0.0.1' })

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers })

test('what has its content in its name is kept for ever and comes compressed, the rest is asked for again', async () => {
  const forever = 'public, max-age=31536000, immutable'
  const asset = await ask('/assets/Plan-a1b2.js', { 'accept-encoding': 'br' })
  expect(asset.headers).toMatchObject({ 'cache-control': forever, 'content-encoding': 'br' })
  expect(asset.rawPayload).toEqual(brotliCompressSync(script))
  const plain = await ask('/assets/Plan-a1b2.js')
  expect([plain.body, plain.headers['cache-control']]).toEqual([script, forever])
  expect((await ask('/assets/Plan-a1b2.js', {}, 'HEAD')).statusCode).toBe(200)
  const theme = await ask('/theme.js')
  expect([theme.body, theme.headers['cache-control']]).toEqual([script, 'no-cache'])
})

test.each(['/', '/dashboard', '/assets', '/assets/', '/account/billing?tab=card'])(
  'loading %s as a page is given the application, which is asked for again',
  async url => {
    const page = await ask(url, { accept: 'text/html' })
    expect([page.statusCode, page.body, page.headers['cache-control']]).toEqual([
      200,
      '<!doctype html>',
      'no-cache',
    ])
  },
)

/** As it is typed: what asks in the process itself would tidy the address up first. */
const askRaw = (path: string, accept: string) =>
  new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
    request(new URL(at), { path, headers: { accept } }, async reply => {
      const body = await text(reply)
      resolve({ status: reply.statusCode, type: reply.headers['content-type'], body })
    })
      .on('error', reject)
      .end()
  })

test.each([
  '/.sources',
  '/assets/.sources',
  '/assets/../.sources',
  '/assets/../index.html',
  '/assets/%2e%2e/.sources',
  '/assets/%2e%2e%2f.sources',
  '/assets/..%5c.sources',
  '/assets//Plan-a1b2.js',
  '/assets/Plan-a1b2.js/none.js',
  '/assets/PLAN-a1b2.js',
  '/assets/Plan-a1b2.js.br',
  '/assets/Plan-a1b2.js.map',
  '/assets/Plan-old.js',
  '/index.html.br',
  '/api/nothing',
])('%s is not there, and no page either [T-85]', async path => {
  for (const accept of ['*/*', 'text/html']) {
    const answer = await askRaw(path, accept)
    expect(answer).toMatchObject({ status: 404, type: 'application/json; charset=utf-8' })
    expect(answer.body).toContain('"code":"not_found"')
  }
})

test('a path that knows another method says which', async () => {
  const answer = await ask('/api/key', { accept: 'text/html' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
})
