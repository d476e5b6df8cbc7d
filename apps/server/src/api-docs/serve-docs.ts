import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { lazily, makeDocument, sendDocument } from '../endpoint/document.ts'
import { openapi } from './openapi.ts'
import type { Tables } from './openapi-features.ts'
import { docsPage } from './page.ts'

/** A page to read and nothing else: one script of its own, no form, no frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API describes itself: /api/openapi.json for machines, /api/docs for people. Both are made at the first look. */
export function describeApi(app: FastifyInstance, contract: Tables, publicUrl: string) {
  const file = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
  const serve = (path: string, type: string, make: () => string | Promise<string>) => {
    const document = lazily(async () => makeDocument(`${type}; charset=utf-8`, await make()))
    app.get(path, async (request, reply) => {
      reply.header('cache-control', 'no-cache')
      if (type === 'text/html') reply.header('content-security-policy', policy)
      return sendDocument(request, reply, await document())
    })
  }
  serve('/api/openapi.json', 'application/json', () => JSON.stringify(openapi(contract)))
  serve('/api/docs', 'text/html', () => docsPage(contract, publicUrl))
  serve('/api/docs.css', 'text/css', () => file('page.css'))
  serve('/api/docs.js', 'text/javascript', () => file('page.js'))
}
