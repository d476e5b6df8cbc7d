import { randomUUID } from 'node:crypto'
import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { exampleOf, type JsonSchema, typesOf } from '../../src/api-docs/openapi-example.ts'
import { schemaOf } from '../../src/api-docs/openapi-schemas.ts'
import { invariant } from '../../src/lib/invariant.ts'
import { accountFactory, type TestRole } from '../factories/accounts.ts'
import { tableSnapshots } from '../harness/table-snapshot.ts'
import { makeTestApp } from '../harness.ts'

/**
 * Sends all column names of the database to every call, as an attacker who knows the schema. Two kinds of names:
 *
 * - A column outside the contract's body is refused, and the database stays unchanged. Each name, in both spellings, is
 *   checked against the contract's schema; over HTTP the test sends a row of each access table, and all names at once, also
 *   nested.
 * - A field of the contract is sent with values worth having: ids of another account, a higher role, a plan, a far date.
 *   The call may succeed, so the test compares the access rights in both accounts.
 */
const harness = await makeTestApp()
const { call, clock } = harness
// A frozen clock, because the last-used time would change with each call.
clock.freeze()
const { account, person, apiKey } = accountFactory(harness)
const { columns, whole, read } = tableSnapshots(harness)

type Body = Record<string, unknown>
const withBody: Endpoint[] = Object.values(contract)
  .flatMap(table => Object.values<Endpoint>(table))
  .filter(({ body }) => body)
const lowest = ({ needs }: Endpoint): TestRole | null => (needs === 'public' ? null : needs)

/** The variants of a body; most have one. */
const armsOf = ({ body }: Endpoint): JsonSchema[] => {
  const schema = schemaOf(body ?? expect.fail(), 'input')
  return schema.anyOf?.filter(({ properties }) => properties) ?? [schema]
}
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const exampleBody = (schema: JsonSchema): Body => {
  const example = exampleOf(schema)
  return isObject(example) ? example : {}
}
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const a = await account()
const b = await account()
const roles: TestRole[] = ['master', 'owner', 'admin', 'developer', 'user']
const callers = new Map<TestRole | null, string | undefined>([[null, undefined]])
for (const role of roles) callers.set(role, (await person(a, role)).token)
const other = await person(b, 'owner')
await apiKey(other, ['usage.create'])

/** A value for a column that an attacker would want. */
function worth(column: string, type: string): unknown {
  if (type === 'boolean') return true
  if (type === 'uuid') return column.includes('account') ? b : other.id
  if (type.startsWith('timestamp')) return '2999-01-01T00:00:00.000Z'
  if (/int|numeric|double/.test(type)) return 999_999
  const known: Body = {
    role: 'owner',
    plan: 'scale',
    email: other.email,
    status: 'active',
    scope: 'event.create',
  }
  return known[column] ?? 'owner'
}

const rows = Map.groupBy(await columns(), ({ table_name }) => table_name)
const row = (table: string): Body =>
  Object.fromEntries(
    invariant(rows.get(table), table).map(({ column_name, data_type }) => [
      column_name,
      worth(column_name, data_type),
    ]),
  )
const snakes: Body = Object.assign({}, ...[...rows.keys()].map(row))
const camels: Body = Object.fromEntries(Object.entries(snakes).map(([name, value]) => [camel(name), value]))
const everything: Body = { ...snakes, ...camels }
const without = (extras: Body, { properties = {} }: JsonSchema) =>
  Object.fromEntries(Object.entries(extras).filter(([name]) => !(name in properties)))

const send = ({ method, path }: Endpoint, token: string | undefined, body: unknown) =>
  call(method, path.replace(/:\w+/g, randomUUID()), { token, body })

/** The same body with `extras` added to each nested object. */
function* insides(value: unknown, extras: Body): Generator<unknown> {
  for (const [key, inner] of Object.entries(value ?? {})) {
    const put = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as Body), [key]: changed } // as: it has entries and is no list
    if (isObject(inner)) yield put({ ...extras, ...inner })
    if (typeof inner === 'object') for (const changed of insides(inner, extras)) yield put(changed)
  }
}

/** Tables that control access. */
const guards = [
  'accounts',
  'api_keys',
  'identities',
  'impersonations',
  'invites',
  'masters',
  'memberships',
  'passkeys',
  'sessions',
  'sso_connections',
  'subscriptions',
  'two_factors',
  'users',
]

describe('a column outside the contract [T-30] [T-77] [T-42]', () => {
  test('is in no schema of a body', () => {
    expect(Object.keys(everything).length).toBeGreaterThan(250)
    const taken = withBody.flatMap(endpoint =>
      armsOf(endpoint).flatMap(arm => {
        const good = exampleBody(arm)
        return Object.entries(without(everything, arm))
          .filter(([name, value]) => {
            const parsed = endpoint.body?.safeParse({ ...good, [name]: value })
            const reasons = JSON.stringify(parsed?.error?.issues ?? [])
            return !reasons.includes(`"keys":["${name}"]`)
          })
          .map(([name]) => `${endpoint.method} ${endpoint.path} ${name}`)
      }),
    )
    expect(taken).toEqual([])
  })

  test('is refused by name, and the database stays unchanged', async () => {
    const before = await whole()
    for (const endpoint of withBody)
      for (const arm of armsOf(endpoint)) {
        const good = exampleBody(arm)
        const token = callers.get(endpoint.needs === 'master' ? 'master' : 'owner')
        const tried = guards.map(async table => {
          // A body of two shapes at once is refused, too, but for which of its fields is a matter of taste.
          const extras = armsOf(endpoint).reduce(without, row(table))
          if (Object.keys(extras).length === 0) return
          const answer = await send(endpoint, token, { ...good, ...extras })
          const what = `${endpoint.method} ${endpoint.path} with a row of ${table}: ${answer.text}`
          expect([answer.status, answer.body.code], what).toEqual([422, 'unknown_field'])
          expect(Object.keys(extras), what).toContain(answer.body.inputError)
        })
        await Promise.all(tried)
      }
    expect(await whole()).toEqual(before)
  })

  test('is refused for the lowest permitted role too, also in nested objects', async () => {
    const before = await whole()
    for (const endpoint of withBody)
      for (const arm of armsOf(endpoint)) {
        const good = exampleBody(arm)
        const token = callers.get(lowest(endpoint))
        const answer = await send(endpoint, token, { ...good, ...without(everything, arm) })
        expect([answer.status, answer.body.code], endpoint.path).toEqual([422, 'unknown_field'])
        for (const body of insides(good, everything)) {
          const { status, body: said } = await send(endpoint, token, body)
          expect([status, said.code], `${endpoint.path} ${JSON.stringify(said)}`).toEqual([
            422,
            expect.any(String),
          ])
        }
      }
    expect(await whole()).toEqual(before)
  })
})

/** Access rights, which no field of a body may change. */
const rights = () =>
  Promise.all(
    [
      'select id, plan, trialed_at from accounts where id = any ($1)',
      `select * from accounts where id = '${b}'`,
      'select * from subscriptions where account_id = any ($1)',
      'select account_id, user_id, role, created_at from memberships where account_id = any ($1)',
      `select id, email, password_hash, password_given, verified_at, default_account_id, duplicate_user, created_at
       from users where id in (select user_id from memberships where account_id = any ($1))`,
      'select id, token_hash, user_id, account_id, method, impersonator_id, second_factor, expires_at, authenticated_at from sessions where account_id = any ($1)',
      // A set-up that was begun asks for nothing yet, and one call's may end another's of the same moment.
      'select user_id, enabled_at from two_factors where enabled_at is not null',
      'select * from masters',
      'select id, user_id from passkeys union all select id, user_id from identities',
      'select * from sso_identities',
      'select account_id, enabled_at, enforced_at from sso_connections',
      'select account_id, proven_at from sso_domains where proven_at is not null',
      `select * from usage_months where account_id = '${b}'`,
      `select * from api_keys where account_id = '${b}'`,
      'select user_id, account_id from impersonations',
    ].map(async text => {
      const values = text.includes('$1') ? [[a, b]] : []
      const found = await read<Body>(text, values)
      return found.map(one => JSON.stringify(one)).sort()
    }),
  )
/** Values that an attacker would want, limited to the type of the field. */
function spoils(field: JsonSchema): unknown[] {
  const types = typesOf(field)
  if (field.anyOf) return field.anyOf.flatMap(spoils)
  if (types.includes('boolean')) return [true]
  if (types.includes('integer')) return [999_999]
  if (types.includes('array')) return [[b], [b, other.id], ['owner'], ['master']]
  if (field.format === 'uuid') return [b, other.id]
  if (field.format === 'email') return [other.email]
  if (field.format === 'date-time') return ['2999-01-01T00:00:00.000Z']
  return field.enum ? ['scale', 'owner', 'master'] : [b, 'owner']
}

// Last, because its mails are still being written when it ends.
describe('a field of the contract [T-30] [T-34] [T-42]', () => {
  test('changes no access rights, with any value', { timeout: 120_000 }, async () => {
    const before = await rights()
    let good = 0
    for (const endpoint of withBody)
      for (const arm of armsOf(endpoint)) {
        const { required = [], properties = {} } = arm
        const base = Object.fromEntries(
          Object.entries(exampleBody(arm)).filter(([name]) => required.includes(name)),
        )
        const tried = Object.entries(properties).flatMap(([name, field]) =>
          spoils(field).map(async value => {
            for (const role of new Set([
              lowest(endpoint),
              endpoint.needs === 'public' ? null : 'owner',
            ] as const)) {
              const answer = await send(endpoint, callers.get(role), { ...base, [name]: value })
              expect(answer.status, `${endpoint.path} ${name} ${answer.text}`).toBeLessThan(500)
              if (answer.status === 200) good++
            }
          }),
        )
        await Promise.all(tried)
      }
    expect(good).toBeGreaterThan(10)
    for (const [role, token] of callers)
      if (role) expect((await call('GET', '/api/auth', { token })).data.permission, role).toBe(role)
    expect(await rights()).toEqual(before)
  })
})
