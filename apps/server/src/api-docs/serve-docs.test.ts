import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, type Endpoint, type EndpointTable } from '@plinth/contract'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeTestApp } from '../../test/harness.ts'
import { ownRefusalsOf, refusalsOf, rules } from './openapi-failures.ts'
import { docsPage } from './page.ts'

const { app, call } = await makeTestApp()
const endpoints = Object.values(contract satisfies Record<string, EndpointTable>).flatMap(table =>
  Object.values(table as EndpointTable),
) // as: one type for all tables
const openPath = (path: string) => path.replace(/:(\w+)/g, '{$1}')

type Media = { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  security: object[]
  parameters: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content: Record<string, Media> }>
  [extension: `x-${string}`]: unknown
}
type Document = {
  openapi: string
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

async function readDocument(): Promise<Document> {
  const { text } = await call('GET', '/api/openapi.json')
  return JSON.parse(text)
}

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(path => Object.values(path))

function schemas(document: Document) {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    validateFormats: false,
    code: { optimize: false },
  })
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: 'document', components: document.components }, 'document')
  // OpenAPI's own references start at the document.
  const rooted = (text: string) => JSON.parse(text.replaceAll('"#/components', '"document#/components'))
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: object) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(rooted(text))
    compiled.set(text, validate)
    return validate
  }
}

describe('GET /api/openapi.json', () => {
  test('describes every call of the contract, and no other [call:GET /api/openapi.json]', async () => {
    const { paths } = await readDocument()
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(told.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${openPath(path)}`).sort())
  })

  test('says of each call who may make it, how, and what follows', async () => {
    const { paths } = await readDocument()
    for (const endpoint of endpoints) {
      const { method, path, needs, stage, scope, limit, idempotent, summary } = endpoint
      const operation = paths[openPath(path)]?.[method.toLowerCase()]
      expect(operation).toMatchObject({ summary, 'x-needs': needs })
      expect(operation?.['x-stage']).toBe(needs === 'public' ? undefined : (stage ?? 'active'))
      expect(operation?.['x-scope']).toBe(scope)
      expect(operation?.['x-limit']).toBe(limit)
      const keys = scope ? [{ key: [] }, { keyAsUser: [] }] : []
      expect(operation?.security).toEqual(needs === 'public' ? [] : [{ session: [] }, ...keys])
      expect(operation?.requestBody !== undefined).toBe(endpoint.body !== undefined)
      expect(operation?.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(idempotent === true)
      expect('401' in (operation?.responses ?? {})).toBe(
        needs !== 'public' || endpoint.refuses?.includes('sign_in_again') === true,
      )
      expect('429' in (operation?.responses ?? {})).toBe(limit !== undefined)
      expect('422' in (operation?.responses ?? {})).toBe(Boolean(endpoint.body ?? endpoint.query))
      if (endpoint.params) expect(operation?.responses).toHaveProperty('404')
    }
  })

  test('is OpenAPI 3.1 with names that are used once and references that lead somewhere', async () => {
    const document = await readDocument()
    expect(document.openapi).toMatch(/^3\.1\./)
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)
    const named = Object.keys(document.components.schemas).map(name => `#/components/schemas/${name}`)
    expect(new Set([...references].map(([, to]) => to))).toEqual(new Set(named))
    for (const { security } of operationsOf(document)) {
      for (const name of security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(name)
    }
  })

  test('groups the calls by features, which have names and texts for people', async () => {
    const document = await readDocument()
    const names = document.tags.map(({ name }) => name)
    expect(names).toHaveLength(Object.keys(contract).length)
    expect(new Set(operationsOf(document).flatMap(({ tags }) => tags))).toEqual(new Set(names))
    for (const { name, description } of document.tags) {
      expect(name).toMatch(/^[A-Z][a-z]+(?:[ -][a-z]+)*$|^API keys$/)
      expect(description).toMatch(/^[A-Z].+\.$/)
    }
  })

  test('names the things that calls answer', async () => {
    const { components, paths } = await readDocument()
    const names = [
      'ApiKey',
      'AuditEntry',
      'Device',
      'Invite',
      'Invoice',
      'Member',
      'Plan',
      'SessionUser',
      'User',
    ]
    for (const name of names) expect(components.schemas).toHaveProperty(name)
    const answer = paths['/api/user']?.get?.responses[200]?.content['application/json']?.schema
    expect(answer).toMatchObject({ properties: { data: { $ref: '#/components/schemas/User' } } })
  })

  test('a number in a query is one, though the server reads it from text', async () => {
    const { paths } = await readDocument()
    const limit = paths['/api/key']?.get?.parameters.find(({ name }) => name === 'limit')
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 })
  })

  test('every schema compiles, and every example is valid against its own', async () => {
    const document = await readDocument()
    const compile = schemas(document)
    let checked = 0
    for (const { operationId, requestBody, responses, parameters } of operationsOf(document)) {
      for (const { schema } of parameters) compile(schema)
      const contents = [requestBody, ...Object.values(responses)].flatMap(part =>
        Object.values(part?.content ?? {}),
      )
      for (const { schema = {}, example, examples = {} } of contents) {
        const valid = compile(schema)
        const values = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value),
        ]
        for (const value of values) {
          expect([operationId, valid(value), valid.errors]).toEqual([operationId, true, null])
          checked++
        }
      }
    }
    expect(checked).toBeGreaterThan(endpoints.length)
  })

  test('every refusal that a feature throws is documented with a call', async () => {
    const told = new Set(endpoints.flatMap(refusalsOf))
    // The provider's webhooks and browsers returning from a provider use routes that are not part of the API.
    const elsewhere = ['signature_wrong', 'social_expired']
    const thrown = globSync('../features/**/*.ts', { cwd: import.meta.dirname })
      .filter(file => !file.endsWith('.test.ts'))
      .flatMap(file => [
        ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/Refusal\(\s*'(\w+)'/g),
      ])
      .map(([, code = '']) => code)
    expect(thrown.length).toBeGreaterThan(10)
    expect(thrown.filter(code => !told.has(code as RefusalCode) && !elsewhere.includes(code))).toEqual([]) // as: looked up, not trusted
  })

  test.each(['/api/openapi.json', '/api/docs', '/api/docs.css', '/api/docs.js'])(
    '%s comes compressed, and with 304 when the client has it',
    async path => {
      const answer = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } })
      expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
      const etag = String(answer.headers.etag)
      const again = await call('GET', path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test('names every failure with its status', async () => {
    const { components } = await readDocument()
    expect(components.schemas.Failure).toMatchObject({
      properties: { code: { enum: expect.arrayContaining(Object.keys(refusals)) } },
    })
  })

  test('tells nothing of this installation', async () => {
    const { text } = await call('GET', '/api/openapi.json')
    expect(text).not.toMatch(/localhost|127\.0\.0\.1|sk_test/)
  })
})

describe('GET /api/docs', () => {
  test('holds every call and every failure code [call:GET /api/docs]', async () => {
    const { status, headers, text } = await call('GET', '/api/docs')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const { method, path } of endpoints) expect(text).toContain(`${method}</span> <code>${path}</code>`)
    for (const code of Object.keys(refusals)) expect(text).toContain(`id="code-${code}"`)
  })

  test('loads its own style sheet and a script to copy with, and nothing else', async () => {
    const { headers, text } = await call('GET', '/api/docs')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/,
    )
    expect(text).not.toMatch(/<script(?! type="module" src="\/api\/docs\.js"><\/script>)/i)
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    const loaded = [...text.matchAll(/<(?:link|img|source|iframe|script)[^>]*(?:href|src)="([^"]+)"/g)].map(
      ([, address]) => address,
    )
    expect(loaded).toEqual(['/mark.svg', '/api/docs.css', '/api/docs.js'])
    const css = await call('GET', '/api/docs.css')
    expect([css.status, css.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(css.text).not.toMatch(/url\(|@import/)
    const script = await call('GET', '/api/docs.js')
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(script.text).not.toMatch(/innerHTML|eval|fetch|import\b/)
  })

  test('has a field to search the calls with, for its script alone', async () => {
    const { text } = await call('GET', '/api/docs')
    expect(text).toMatch(/<div class="search" hidden><label class="search__label" for="search">/)
    expect(text).toContain('<input class="search__input" id="search" type="search"')
    const script = await call('GET', '/api/docs.js')
    expect(script.text).toContain("querySelector('.search__input')")
  })

  test('shows how a program calls with a key', async () => {
    const { text } = await call('GET', '/api/docs')
    expect(text).toContain('id="keys"')
    expect(text).toContain('-H &quot;Authorization: Bearer $PLINTH_KEY&quot;')
    expect(text).toContain('-u &quot;$PLINTH_KEY:&quot;')
    expect(text).toContain('API keys with the scope usage.create.')
  })

  test('every anchor leads to one place', async () => {
    const { text } = await call('GET', '/api/docs')
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  test('error codes are listed at the call, or once for all calls of its kind', async () => {
    const { text } = await call('GET', '/api/docs')
    const codesIn = (part = '') => [...part.matchAll(/href="#code-(\w+)"/g)].map(([, code]) => code)
    const cut = (tag: 'article' | 'tr', words: string) =>
      text.split(`<${tag}`).filter(part => part.includes(words))
    for (const endpoint of endpoints) {
      const { method, path, refuses = [] } = endpoint
      const [article = '', ...others] = cut('article', `${method}</span> <code>${path}</code></a></h3>`)
      expect([path, others]).toEqual([path, []])
      const own = codesIn(article.split('</article>')[0])
      expect([path, own]).toEqual([path, ownRefusalsOf(endpoint)])
      expect([path, new Set(own)]).toEqual([path, new Set(refuses)])
      const kinds = rules.filter(({ meets }) => meets(endpoint))
      const general = kinds.flatMap(({ calls }) =>
        cut('tr', `<th scope="row">${calls}</th>`).flatMap(codesIn),
      )
      expect([path, new Set([...own, ...general])]).toEqual([path, new Set(refusalsOf(endpoint))])
    }
  })

  test('which codes calls share follows from their fields', () => {
    const input = [
      'invalid_input',
      'unknown_field',
      'malformed_body',
      'body_too_large',
      'request_timeout',
      'unsupported_media_type',
    ]
    const shared = (endpoint: Endpoint) => refusalsOf({ ...endpoint, refuses: [] }).sort()
    const some: Endpoint = { ...contract.settings.read, needs: 'public', stage: undefined, limit: undefined }
    expect(shared(some)).toEqual(['busy'])
    expect(shared({ ...some, query: z.object({}) })).toEqual(['busy', 'invalid_input'])
    expect(shared({ ...some, body: z.object({}), idempotent: true, limit: 'write' })).toEqual(
      ['busy', 'idempotency_key_reused', 'operation_in_flight', 'too_many_requests', ...input].sort(),
    )
    const session = ['busy', 'key_not_allowed', 'second_factor_missing', 'session_required']
    expect(shared({ ...some, needs: 'user', stage: 'session' })).toEqual(session)
    expect(shared({ ...some, needs: 'admin', stage: 'planned' })).toEqual(
      [...session, 'permission_required', 'plan_required', 'verification_required'].sort(),
    )
    expect(shared({ ...some, needs: 'developer', scope: 'event.create' })).toEqual(
      [
        'busy',
        'key_unknown',
        'permission_required',
        'plan_required',
        'scope_required',
        'second_factor_missing',
        'session_required',
        'subscription_inactive',
        'too_many_requests',
        'verification_required',
      ].sort(),
    )
    expect(refusalsOf(contract.events.track)).toContain('limit_reached')
    expect(new Set(rules.map(({ calls }) => calls)).size).toBe(rules.length)
  })

  test('words of the contract are shown as text, never read as markup', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&'
    const first = contract.settings.read
    const page = docsPage(
      { settings: { read: { ...first, summary: hostile } } },
      'https://app.plinth.example',
    )
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  })
})
