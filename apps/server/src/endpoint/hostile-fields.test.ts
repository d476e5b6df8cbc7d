import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'
import { exampleOf, type JsonSchema, typesOf } from '../api-docs/openapi-example.ts'
import { schemaOf } from '../api-docs/openapi-schemas.ts'

const { people, call } = await makeTestApp()
const withBody: Endpoint[] = Object.values(contract)
  .flatMap(table => Object.values<Endpoint>(table))
  .filter(endpoint => endpoint.body)

/** Text that has broken a database, a hash or a length check somewhere, at the length that a field allows. */
function strings(max: number): string[] {
  return [
    '\u0000',
    'a\u0000b',
    '\u001b[2J',
    '\ud800',
    'a\udfff',
    '\u2028',
    '\u202e\u0000',
    ' ',
    'a'.repeat(max),
    'a'.repeat(max + 1),
    // Each becomes two when it is normalised.
    '\u0958'.repeat(max),
    '\u{1d15e}'.repeat(max >> 1),
    'İ'.repeat(max),
    '😀'.repeat(max >> 1),
    `a${'\u0301'.repeat(max - 1)}`,
    '../../etc/passwd?a=b#c%00',
    "'; drop table users; --",
    '{{label}} $& %s',
    '9'.repeat(max),
  ]
}
const wrongTypes = [null, 0, -1, 1.5, 1e308, true, false, [], ['a'], [[]], {}, { a: { b: 1 } }]

/** Values to try in a field of a schema: wrong types, and the limits of valid values. */
function hostile(schema: JsonSchema): unknown[] {
  const max = schema.maxLength ?? 255
  const arms = (schema.anyOf ?? []).flatMap(hostile)
  const entries =
    typesOf(schema).includes('object') && typeof schema.additionalProperties === 'object'
      ? [
          ...hostile(schema.additionalProperties).map(value => ({ a: value })),
          ...strings(50).map(key => ({ [key]: 1 })),
          Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])),
        ]
      : []
  return [
    ...wrongTypes,
    ...strings(max),
    ...(max < 320 ? [longAddress(), longAddress(1)] : []),
    ...arms,
    ...entries,
  ]
}

/** An address as long as addresses may be, or longer by some characters. */
function longAddress(more = 0): string {
  const domain = `@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
  const local = freshEmail('x').split('@', 1)[0] ?? ''
  return `${local.padEnd(63, 'x')}${domain}`.padEnd(254 + more, 'e')
}

async function tokenFor({ needs, stage }: Endpoint): Promise<string | undefined> {
  if (needs === 'public') return undefined
  return (stage === 'verified' ? await people.verified() : await people.owner()).token
}

describe('each field of each body, with everything that does not belong in it [T-77]', () => {
  test.each(withBody.map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
    '%s %s',
    async (method, url, endpoint) => {
      const token = await tokenFor(endpoint)
      const schema = schemaOf(endpoint.body ?? expect.fail(), 'input')
      const fields = Object.entries(schema.properties ?? schema.anyOf?.[0]?.properties ?? {})
      const example = exampleOf(schema)
      for (const [field, its] of fields) {
        for (const value of hostile(its)) {
          const good = typeof example === 'object' && example !== null ? example : {}
          const email = 'email' in good ? { email: freshEmail() } : {}
          const answer = await call(method, url, { token, body: { ...good, ...email, [field]: value } })
          const what = `${field}: ${JSON.stringify(value)?.slice(0, 60)}: ${answer.text.slice(0, 100)}`
          expect(answer.status, what).toBeLessThan(500)
          if (answer.status === 422) expect(answer.body.message, what).toMatch(/^\S(?!.*(undefined|NaN))/)
        }
      }
    },
  )
})

test('an address of the greatest length signs up and in', async () => {
  const email = longAddress()
  expect(email).toHaveLength(254)
  const user = await people.signUp(email)
  expect(user.email).toBe(email)
  expect((await call('POST', '/api/auth', { body: { email, password: 'wrong-password-1' } })).status).toBe(
    422,
  )
})
