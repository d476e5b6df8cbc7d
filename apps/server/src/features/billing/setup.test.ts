import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compileCache } from '../../../test/harness/compile-cache.ts'
import { shortLivedFlags } from '../../../test/harness/server-process.ts'
import { ownSandbox } from '../../../test/payments.ts'
import { wantedEvents } from './webhooks/webhook-endpoint.ts'

// An empty account of the provider.
const sandbox = await ownSandbox()
const base = `http://127.0.0.1:${sandbox.env.SANDBOX_PORT}`
const PUBLIC_URL = 'https://app.plinth.example'
const keys = { STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_API_BASE: base, PUBLIC_URL }

/** Runs the command. */
async function setUp(env: Record<string, string>) {
  const script = fileURLToPath(new URL('../../../scripts/billing-setup.ts', import.meta.url))
  const { PATH = '' } = process.env
  // Another folder, so that a developer's .env is not read.
  const child = spawn(process.execPath, [...shortLivedFlags, script], {
    cwd: tmpdir(),
    env: { PATH, NODE_COMPILE_CACHE: compileCache, ...env },
  })
  let [out, wrong] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (wrong += chunk))
  const [code] = await once(child, 'close')
  return { code, wrong, lines: out.split('\n').filter(Boolean) }
}
const listEndpoints = () => sandbox.list('/v1/webhook_endpoints', {})

it('refuses a missing or invalid key', async () => {
  expect(await setUp({ STRIPE_API_BASE: base, PUBLIC_URL })).toMatchObject({
    code: 1,
    lines: [],
    wrong: 'STRIPE_SECRET_KEY: expected, because it says whose account is set up\n',
  })
  const typo = await setUp({ ...keys, STRIPE_SECRET_KEY: 'pk_test_1' })
  expect([typo.code, typo.wrong]).toEqual([
    1,
    'STRIPE_SECRET_KEY: expected a key that starts with sk_test_ or sk_live_\n',
  ])
  expect(await listEndpoints()).toEqual([])
})

it('creates everything once, reports it, and finds it the next time', async () => {
  const first = await setUp(keys)
  expect([first.code, first.wrong]).toEqual([0, ''])
  expect(first.lines).toEqual([
    'With a test key: no real money.',
    'Product plinth_startup: created.',
    'Product plinth_startup_yearly: created.',
    'Product plinth_scale: created.',
    'Price plinth_startup_month: created.',
    'Price plinth_startup_year: created.',
    'Price plinth_scale_base: created.',
    'Price plinth_scale_usage: created.',
    'Meter plinth_usage: created.',
    `Webhook ${PUBLIC_URL}/api/stripe/webhook: created. Put this line into the environment; it is shown only once:`,
    expect.stringMatching(/^STRIPE_WEBHOOK_SECRET=whsec_\w+$/),
  ])
  expect(await listEndpoints()).toMatchObject([
    {
      url: `${PUBLIC_URL}/api/stripe/webhook`,
      api_version: '2026-10-28.endive',
      enabled_events: wantedEvents,
    },
  ])
  // Invoices and receipts show these names.
  const names = (await sandbox.list('/v1/products', {})).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Plinth Scale', 'Plinth Startup', 'Plinth Startup yearly'])
  const again = await setUp(keys)
  expect(again.lines.slice(1, 9).every(line => line.endsWith(': exists.'))).toBe(true)
  expect(again.lines.at(-1)).toContain('exists. Its secret was shown when it was created')
  expect(await sandbox.list('/v1/prices', {})).toHaveLength(4)
  expect(await listEndpoints()).toHaveLength(1)
})

it('repairs manual changes, and keeps subscriptions at an old price', async () => {
  await setUp(keys)
  const [endpoint] = await listEndpoints()
  await sandbox.api('POST', `/v1/webhook_endpoints/${endpoint?.id}`, { disabled: 'true' })
  await sandbox.api('POST', '/v1/products/plinth_scale', { active: 'false' })
  const [old] = await sandbox.list('/v1/prices', { 'lookup_keys[0]': 'plinth_startup_month' })
  const cheaper = await sandbox.api('POST', '/v1/prices', {
    product: 'plinth_startup',
    currency: 'usd',
    unit_amount: '900',
    'recurring[interval]': 'month',
    lookup_key: 'plinth_startup_month',
    transfer_lookup_key: 'true',
  })
  const { lines } = await setUp(keys)
  expect(lines.join('\n')).toContain(
    `Price plinth_startup_month: replaced, because ${cheaper.id} differs from the plan. Existing subscriptions keep it.`,
  )
  expect(lines).toContain('Product plinth_scale: was inactive, is active again.')
  expect(lines.at(-1)).toContain('exists, and was updated.')
  const [price] = await sandbox.list('/v1/prices', { 'lookup_keys[0]': 'plinth_startup_month' })
  expect(price).toMatchObject({ unit_amount: 1200, metadata: { plan: 'startup' } })
  expect([old?.id, cheaper.id]).not.toContain(price?.id)
  expect(await listEndpoints()).toMatchObject([{ status: 'enabled' }])
})

it('reports a webhook with another API version and keeps it', async () => {
  await setUp(keys)
  for (const { id } of await listEndpoints()) await sandbox.api('DELETE', `/v1/webhook_endpoints/${id}`)
  const url = `${PUBLIC_URL}/api/stripe/webhook`
  const old = await sandbox.api('POST', '/v1/webhook_endpoints', { url, 'enabled_events[0]': '*' })
  const { lines } = await setUp(keys)
  expect(lines.at(-3)).toContain(`${old.id} speaks another version`)
  expect(lines.at(-1)).toMatch(/^STRIPE_WEBHOOK_SECRET=whsec_/)
  expect(await listEndpoints()).toHaveLength(2)
})

it('reports a missing public address, and a provider that is down', async () => {
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = keys
  const { lines, code } = await setUp({ STRIPE_SECRET_KEY, STRIPE_API_BASE })
  expect([code, lines.at(-1)]).toEqual([
    0,
    'Webhook: skipped, because PUBLIC_URL is not set. Set it and run this again.',
  ])
  await sandbox.fault('GET /v1/products', '500', 9)
  const away = await setUp(keys)
  expect([away.code, away.wrong]).toEqual([1, expect.stringContaining('payment provider: down')])
})

it('reports a payment server without meters, and creates the rest', async () => {
  await sandbox.clearFaults()
  const server = createServer(async (request, response) => {
    const url = request.url ?? '/'
    if (url.startsWith('/v1/billing/meters')) {
      response.writeHead(404, { 'content-type': 'application/json' })
      const error = { type: 'invalid_request_error', message: 'No matching path' }
      response.end(JSON.stringify({ error }))
      return
    }
    const { method = 'GET' } = request
    const headers = {
      authorization: String(request.headers.authorization),
      'content-type': 'application/x-www-form-urlencoded',
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = method === 'GET' ? null : Buffer.concat(chunks)
    const answer = await fetch(base + url, { method, headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  try {
    const { code, wrong, lines } = await setUp({ ...keys, STRIPE_API_BASE: `http://127.0.0.1:${port}` })
    expect([code, wrong]).toEqual([0, ''])
    expect(lines.join('\n')).toContain('Product plinth_scale: ')
    expect(lines).toContain(
      'Meters: this payment server has none. The usage price of scale was left out, so that plan can’t be bought here.',
    )
    expect(lines.at(-1)).toContain('Its secret was shown when it was created')
  } finally {
    server.close()
  }
})
