import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { notFoundPaths, paths } from '@plinth/contract/paths'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { handleErrors } from './error-handler.ts'
import { serveWeb } from './static.ts'

const place = temporaryFolder()
// The folder of a checkout may have any name.
const dist = join(place, 'assets', 'dist')
const app = fastify()
afterAll(async () => {
  await app.close()
})

await mkdir(join(dist, 'assets'), { recursive: true })
const script = 'export const plan = 1'
const shell = '<!doctype html><link rel="canonical" href="{{public_url}}{{path}}">'
const publicUrl = 'https://app.plinth.example'
const pageAt = (path: string) => `<!doctype html><link rel="canonical" href="${publicUrl}${path}">`
for (const [file, content] of [
  ['index.html', shell],
  ['.sources', 'what it was built from'],
  ['theme.js', script],
  ['assets/Plan-a1b2.js', script],
  ['assets/Plan-a1b2.js.br', brotliCompressSync(script)],
  ['assets/Plan-a1b2.js.map', '{}'],
] as const)
  await writeFile(join(dist, file), content)
handleErrors(app)
await serveWeb(app, path => (path === '/api/key' ? ['POST'] : []), publicUrl, dist)
const at = await app.listen({ port: 0, host: '127.0.0.1' })

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers })

test('files named by their content are cached for ever and compressed, others are revalidated', async () => {
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

/** What clients send: browsers, wget, link previews, uptime checks. */
const accepts = ['text/html', 'TEXT/HTML', '*/*', 'text/*', 'application/json', undefined]
const screens = Object.values(paths).filter(path => !notFoundPaths.includes(path))

test.each(screens)('%s is the application for any client, and names its own address', async path => {
  for (const accept of accepts) {
    const page = await ask(`${path}?tab=card`, accept ? { accept } : {})
    expect([page.statusCode, page.body]).toEqual([200, pageAt(path === '/login' ? '/' : path)])
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    })
  }
  const head = await ask(path, {}, 'HEAD')
  expect([head.statusCode, head.body, Number(head.headers['content-length']) > 0]).toEqual([200, '', true])
  if (path !== '/') expect((await ask(`${path}/`)).statusCode).toBe(200)
})

test('a page comes compressed, and with 304 when the client has it', async () => {
  const page = await ask('/signup', { 'accept-encoding': 'gzip, deflate, br' })
  expect(page.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(page.rawPayload).toString()).toBe(pageAt('/signup'))
  const zipped = await ask('/signup', { 'accept-encoding': 'gzip, br;q=0' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  const again = await ask('/signup', { 'if-none-match': `"other", ${page.headers.etag}` })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', page.headers.etag])
  expect((await ask('/login', { 'if-none-match': String(page.headers.etag) })).statusCode).toBe(200)
})

test('search engines keep only the pages that everyone can open', async () => {
  const kept = []
  for (const path of screens) if (!(await ask(path)).headers['x-robots-tag']) kept.push(path)
  expect(kept).toEqual(['/', '/login', '/signup'])
})

const unknown = [
  '/nonsense',
  '/nonsense/deeper',
  '/account/nope',
  '/login~',
  '/wp-login.php',
  '/404',
  '/notfound',
]

test.each([...unknown, '/index.html'])('%s is a 404 with the page [route:unknown]', async url => {
  for (const accept of accepts) {
    const page = await ask(url, accept ? { accept } : {})
    expect([page.statusCode, page.body]).toEqual([404, pageAt(url === '/404' ? url : '/notfound')])
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
  }
  expect((await ask(url, {}, 'HEAD')).statusCode).toBe(404)
})

test('a page knows no other methods than GET and HEAD', async () => {
  const answer = await app.inject({ method: 'POST', url: '/dashboard' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  expect((await app.inject({ method: 'POST', url: '/nonsense' })).statusCode).toBe(404)
})

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
  '/assets/../.sources',
  '/assets/../index.html',
  '/assets/%2e%2e/.sources',
  '/assets/%2e%2e%2f.sources',
  '/assets/..%5c.sources',
  '/index.html.br',
])('%s is no file of the build [T-85]', async path => {
  for (const accept of ['*/*', 'text/html']) {
    const { status, body } = await askRaw(path, accept)
    expect(status).toBe(404)
    expect(body).not.toContain('what it was built from')
    expect(body).not.toContain('{{')
  }
})

test.each([
  '/assets/',
  '/assets/.sources',
  '/assets//Plan-a1b2.js',
  '/assets/Plan-a1b2.js/none.js',
  '/assets/PLAN-a1b2.js',
  '/assets/Plan-a1b2.js.br',
  '/assets/Plan-a1b2.js.map',
  '/assets/Plan-old.js',
  '/api/nothing',
  '/auth/nothing',
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
