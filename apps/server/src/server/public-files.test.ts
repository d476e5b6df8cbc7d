import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { handleErrors } from './error-handler.ts'
import { serveWeb } from './static.ts'

const web = fileURLToPath(new URL('../../../web/', import.meta.url))
const dist = temporaryFolder()
cpSync(join(web, 'public'), dist, { recursive: true })
cpSync(join(web, 'index.html'), join(dist, 'index.html'))
mkdirSync(join(dist, 'assets'))

const app = fastify()
afterAll(() => app.close())
handleErrors(app)
await serveWeb(app, () => [], 'https://app.plinth.example', dist)

/** The width and height that a PNG file states. */
const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

test('robots.txt keeps crawlers out of the API, but for its description', async () => {
  const { statusCode, headers, body } = await app.inject('/robots.txt')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body.split('\n')).toEqual(
    expect.arrayContaining(['User-agent: *', 'Disallow: /api/', 'Disallow: /auth/', 'Allow: /api/docs']),
  )
})

test('the manifest is served, and each icon has the size that it says', async () => {
  const { statusCode, headers, body } = await app.inject('/manifest.webmanifest')
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/manifest+json'])
  const { icons }: { icons: { src: string; sizes: string; type: string; purpose?: string }[] } =
    JSON.parse(body)
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes, type } of icons) {
    const icon = await app.inject(src)
    expect([src, icon.statusCode, icon.headers['content-type']]).toEqual([src, 200, type])
    expect([src, sizeOf(icon.rawPayload)]).toEqual([src, sizes])
  }
})

test('every file that the page names is there', async () => {
  const page = readFileSync(join(web, 'index.html'), 'utf8')
  const named = [...page.matchAll(/<link rel="[^"]*(?:icon|manifest)" href="([^"]+)"/g)].map(([, at]) => at)
  expect(named).toHaveLength(4)
  for (const at of [...named, '/social.png'])
    expect([at, (await app.inject(at ?? '')).statusCode]).toEqual([at, 200])
})
