import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'
import { openapi, type Tables } from './openapi.ts'

/** A page to read and nothing else: one script of its own, no form, no frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API describes itself: /api/openapi.json for machines, /api/docs for people. Both are made at the first look. */
export function describeApi(app: FastifyInstance, contract: Tables) {
  const document = once(() => JSON.stringify(openapi(contract)))
  const page = once(() => docsPage(contract))
  const asset = (name: string) => once(() => readFile(new URL(name, import.meta.url), 'utf8'))
  const [styles, script] = [asset('docs-page.css'), asset('docs-page.js')]

  app.get('/api/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document()),
  )
  app.get('/api/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .send(page()),
  )
  app.get('/api/docs.css', async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await styles()),
  )
  app.get('/api/docs.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await script()),
  )
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
