import { readFileSync } from 'node:fs'
import { contract, type Endpoint, type EndpointTable } from '@plinth/contract'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import { expect, test } from 'vitest'
import { masterFactory } from '../../test/factories/masters.ts'
import { freshEmail, makeTestApp } from '../../test/harness.ts'
import { messageOf } from './openapi-failures.ts'

const made = await makeTestApp()
const { call, people } = made
const makeMaster = masterFactory(made)

type Content = Record<string, { example?: unknown }>
type Operation = { requestBody?: { content: Content } }
const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  (await call('GET', '/api/openapi.json')).text,
)
const exampleFor = ({ method, path }: Endpoint) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content[
    'application/json'
  ]?.example

const withBody = Object.values(contract satisfies Record<string, EndpointTable>)
  .flatMap(table => Object.values(table as EndpointTable)) // as: one type for all tables
  .filter(({ body }) => body)

/** Refusals of the input, not of the test user's rights or data. */
const badInput = ['invalid_input', 'unknown_field', 'malformed_body', 'unsupported_media_type']

async function signInFor({ needs, stage }: Endpoint): Promise<string | undefined> {
  if (needs === 'public') return undefined
  if (needs === 'master') return (await makeMaster()).token
  return (stage === 'verified' ? await people.verified() : await people.owner()).token
}

test.each(withBody.map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
  'the request example of %s %s is taken by the server',
  async (method, path, endpoint) => {
    const example = exampleFor(endpoint)
    expect(endpoint.body?.safeParse(example).error).toBeUndefined()
    const answer = await call(method, path.replace(/:\w+/g, '019a9f3e-6c1d-7b52-8e44-1f0a5c2b9d10'), {
      token: await signInFor(endpoint),
      body: example,
    })
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(badInput, answer.text).not.toContain(answer.body.code)
  },
)

test('one-time codes have six digits in examples, and currencies keep theirs', async () => {
  const examples = withBody.map(endpoint => [endpoint.path, exampleFor(endpoint)] as const)
  const codes = examples.flatMap(([path, example]) =>
    typeof example === 'object' && example && 'code' in example ? [[path, example.code]] : [],
  )
  expect(codes).toEqual([
    ['/api/user/2fa/verify', '135791'],
    ['/api/auth/otp', '135791'],
  ])
  const { text } = await call('GET', '/api/openapi.json')
  expect(text).toContain('"currency":{"code":"usd","symbol":"$"}')
})

test('the example of the profile changes the profile', async () => {
  const { token } = await people.verified(freshEmail())
  const body = exampleFor(contract.profile.update)
  const answer = await call('PATCH', '/api/user', { token, body })
  expect([answer.status, answer.data]).toEqual([200, expect.objectContaining(body)])
})

const texts: Record<string, string> = JSON.parse(
  readFileSync(new URL('../locales/en.json', import.meta.url), 'utf8'),
)
test.each(
  Object.keys(refusals).map(code => code as RefusalCode), // as: the keys of the table are the codes
)('the example message of %s fills each place of its text', code => {
  const text = texts[`refusals.${code}`] ?? ''
  const filled = text.replace(/[.?()]/g, String.raw`\$&`).replace(/\{\{\w+\}\}/g, String.raw`\S.*`)
  expect(messageOf(code)).toMatch(new RegExp(`^${filled}$`))
})
