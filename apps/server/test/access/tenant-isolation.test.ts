import { randomUUID } from 'node:crypto'
import { contract, type Endpoint } from '@plinth/contract'
import { scopes } from '@plinth/contract/scopes'
import { describe, expect, test } from 'vitest'
import { exampleOf, type JsonSchema, typesOf } from '../../src/api-docs/openapi-example.ts'
import { schemaOf } from '../../src/api-docs/openapi-schemas.ts'
import { accountFactory, type InsertedUser, type TestRole } from '../factories/accounts.ts'
import { everyTableFactory } from '../factories/every-table.ts'
import { tableSnapshots } from '../harness/table-snapshot.ts'
import { makeTestApp } from '../harness.ts'
import { type Caller, expectedRefusal, mayTargetAnyUser } from './access-rules.ts'

/**
 * Two accounts with a row in every table. Users of the second account send every id and secret of the first one, from its
 * replies and from the database, in the path, the query and the body of every call. No data of the first account may come
 * back, and none of its rows may change.
 *
 * In id fields the owner sends all ids and every other role one of each kind; in text fields all roles send the secrets.
 * Roles without permission send one id only, because the refusal is always the same (access-matrix.test.ts).
 */
const harness = await makeTestApp()
const { call, clock } = harness
const { account, person, apiKey } = accountFactory(harness)
const belongings = everyTableFactory(harness)
const { around, rowsAround } = tableSnapshots(harness)
// A frozen clock, because the last-used time would change rows.
clock.freeze()

const all: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))
const roles: TestRole[] = ['master', 'owner', 'admin', 'developer', 'user']
type Answer = Awaited<ReturnType<typeof call>>
type Person = Caller & { secret?: string }

/** An account with an owner, rows in every table, and a second member. */
async function filled(mark: string) {
  const id = await account('startup', 'active', mark)
  const owner = await person(id, 'owner', { name: mark })
  const colleague = await person(id, 'admin', { name: mark })
  const support = await person(await account(), 'master')
  const has = await belongings(owner, support, mark)
  // A second page, so that there is a cursor.
  await apiKey(owner, ['usage.create'])
  return { id, owner, colleague, has, ids: [id, owner.id, colleague.id, has.sso_connections.id] }
}
const marks = { a: `quail${randomUUID().slice(0, 8)}`, b: `heron${randomUUID().slice(0, 8)}` }
const [a, b] = [await filled(marks.a), await filled(marks.b)]

const usersByRole = new Map<TestRole, InsertedUser>()
for (const role of roles) usersByRole.set(role, await person(b.id, role))
const callers: Person[] = [...usersByRole].map(([role, { token }]) => ({
  by: 'session',
  role,
  secret: token,
}))
const key = await apiKey(b.owner, scopes)
callers.push({ by: 'key', role: 'owner', scopes, secret: key.key }, { by: 'none' })

/** One id of each kind used in paths and bodies. */
const kinds = [
  ...[a.id, a.colleague.id, a.owner.session_id],
  ...[a.has.api_keys.id, a.has.invites.id, a.has.sso_domains.id, a.has.passkeys.id, a.has.identities.id],
]
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Ids and secret-like values: cursors, image URLs, masked keys. */
const secrets = /[\w.-]{20,}/g

async function read(by: string, of: Endpoint, id = '') {
  const query = of.paged ? '?limit=1' : ''
  return call(of.method, of.path.replace(':id', id) + query, { token: by })
}
const reading = all.filter(({ method }) => method === 'GET')

/** Values of the first account, from its replies and from its rows. */
async function known() {
  const answers: Answer[] = []
  for (const { token } of [a.owner, a.colleague])
    for (const endpoint of reading) answers.push(await read(token, endpoint, a.has.api_keys.id))
  const shown = answers.filter(({ status }) => status === 200).map(({ text }) => text)
  const stored = [...(await rowsAround(a.ids)).values()].flat().map(one => JSON.stringify(one))
  const everybodys = new Set(
    [...(await rowsAround(b.ids)).values()].flatMap(found => JSON.stringify(found).match(uuids) ?? []),
  )
  const own = [...shown, ...stored].flatMap(text => text.match(uuids) ?? []).filter(id => !everybodys.has(id))
  const found = shown.flatMap(text => text.match(secrets) ?? []).filter(text => text.includes(marks.a))
  const cursors = answers.flatMap(({ body }) => body.page?.next ?? [])
  return { shown, ids: [...new Set(own)], opening: [...new Set([...found, ...cursors])] }
}

type Body = Record<string, unknown>
type Call = { url: string; body?: Body }
/** A position for an id in a call, and the call with a given id. */
type Place = { name: string; takes: 'id' | 'text'; with: (value: string) => Call[] }

const texts = /^(token|jwt|invite_id|identifier|cursor|search|provider)$/
const propertiesOf = (schema: JsonSchema) => Object.entries(schema.properties ?? {})

function takenBy(name: string, { format, anyOf, items, ...field }: JsonSchema): Place['takes'] | null {
  if ([{ format }, items, ...(anyOf ?? [])].some(one => one?.format === 'uuid')) return 'id'
  return texts.test(name) && !field.enum ? 'text' : null
}

/** A valid body that requests a change. */
function baseOf(schema: JsonSchema): Body {
  const example = Object.entries(exampleOf(schema) as Body) // as: bodies are objects
  const wanted = [...(schema.required ?? []), 'name', 'first_name']
  return Object.fromEntries(example.filter(([name]) => wanted.includes(name)))
}

function placesOf({ path, body, query }: Endpoint): Place[] {
  const at = (id: string) => path.replace(':id', id)
  const schema = body && schemaOf(body, 'input')
  const arms = schema?.anyOf?.filter(({ properties }) => properties) ?? (schema ? [schema] : [])
  const first = arms[0] ? baseOf(arms[0]) : undefined
  const inPath: Place[] = path.includes(':id')
    ? [{ name: ':id', takes: 'id', with: id => [{ url: at(id), body: first }] }]
    : []
  const inQuery = propertiesOf(query ? schemaOf(query, 'input') : {}).flatMap(([name, field]): Place[] => {
    const takes = takenBy(name, field)
    return takes
      ? [{ name, takes, with: value => [{ url: `${path}?${name}=${encodeURIComponent(value)}` }] }]
      : []
  })
  const inBody = arms.flatMap(arm =>
    propertiesOf(arm).flatMap(([name, field]): Place[] => {
      const takes = takenBy(name, field)
      // A list is all or nothing, so one of their own beside it must not go through, either (T-34).
      const own = name === 'break_glass' ? b.owner.id : b.has.api_keys.id
      const values = (value: string) => (typesOf(field).includes('array') ? [[value], [own, value]] : [value])
      const calls = (value: string) =>
        values(value).map(one => ({ url: at(randomUUID()), body: { ...baseOf(arm), [name]: one } }))
      return takes ? [{ name, takes, with: calls }] : []
    }),
  )
  return [...inPath, ...inQuery, ...inBody]
}

const send = ({ method }: Endpoint, { secret }: Person, { url, body }: Call) =>
  call(method, url, {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
    body: method === 'GET' ? undefined : body,
  })

/** Public calls ignore the caller, so two callers are enough. */
const tries = (caller: Person, endpoint: Endpoint) =>
  endpoint.needs === 'public'
    ? caller.by === 'none' || caller.role === 'owner'
    : !expectedRefusal(caller, endpoint)

const { ids, shown, opening } = await known()
const before = await around(a.ids)
const theirs = [...ids, ...opening, marks.a, a.owner.email, a.colleague.email]

function valuesFor(caller: Person, endpoint: Endpoint, { takes }: Place): string[] {
  if (!tries(caller, endpoint)) return kinds.slice(0, 1)
  if (takes === 'text') return [a.id, a.has.api_keys.id, ...opening]
  if (mayTargetAnyUser(caller, endpoint)) return kinds.filter(id => id !== a.colleague.id)
  return caller.by === 'session' && caller.role === 'owner' ? ids : kinds
}

/** Values of the first account in a reply, without those that were sent. */
function leaked({ text }: Answer, value: string): string[] {
  const rest = value ? text.replaceAll(value, '') : text
  return theirs.filter(one => one !== value && rest.includes(one))
}

/** Sends all ids of one caller to one call. @returns the problems */
async function crawl(endpoint: Endpoint, caller: Person): Promise<unknown[]> {
  const wrong: unknown[] = []
  const admitted = tries(caller, endpoint)
  const look = (answer: Answer, value: string, place?: Place) => {
    const { status, text } = answer
    const seen = leaked(answer, value)
    const taken = place?.takes === 'id' && (place.name === ':id' && admitted ? status !== 404 : status < 400)
    if (seen.length > 0 || taken || status >= 500)
      wrong.push({ by: caller.by, role: caller.role, place: place?.name, value, status, text, seen })
  }
  if (endpoint.method === 'GET' && !endpoint.path.includes(':id'))
    look(await send(endpoint, caller, { url: endpoint.path }), '')
  for (const place of placesOf(endpoint))
    for (const value of valuesFor(caller, endpoint, place))
      for (const one of place.with(value)) look(await send(endpoint, caller, one), value, place)
  return wrong
}

describe('the test data', () => {
  test('has a row in every table that references an account or a user', async () => {
    const empty = [...(await rowsAround(a.ids))].filter(([, found]) => found.length === 0)
    // Rows of closed accounts, masters and unknown visitors.
    expect(
      empty.map(([table]) => table),
      'a new table gets its row in factories/every-table.ts',
    ).toEqual(['account_closures', 'masters', 'social_sign_in_tokens'])
  })

  test('yields many ids, cursors and replies', () => {
    expect(ids).toEqual(expect.arrayContaining(kinds))
    expect(ids.length).toBeGreaterThan(20)
    expect(opening.length).toBeGreaterThan(2)
    expect(shown.filter(text => text.includes(marks.a)).length).toBeGreaterThan(10)
  })
})

describe('ids of another account show nothing and change nothing [T-34] [T-35]', () => {
  test.each(all.map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
    '%s %s',
    async (_, __, endpoint) => {
      const wrong = await Promise.all(callers.map(caller => crawl(endpoint, caller)))
      expect(wrong.flat()).toEqual([])
      expect(await around(a.ids)).toEqual(before)
    },
  )

  test('the caller’s own records are found and unchanged', async () => {
    const answers = await Promise.all(
      reading.map(endpoint => read(b.owner.token, endpoint, b.has.api_keys.id)),
    )
    expect(answers.filter(({ text }) => text.includes(marks.b)).length).toBeGreaterThan(5)
    for (const { id } of [b.has.api_keys, key]) {
      const { data } = await call('GET', `/api/key/${id}`, { token: b.owner.token })
      expect(data).toMatchObject([{ id, active: true }])
    }
  })
})
