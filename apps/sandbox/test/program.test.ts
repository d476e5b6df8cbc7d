import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { deriveSchemas, renderSchemas, schemaFile } from '../scripts/derive-schemas.ts'
import { readConfig } from '../src/config.ts'
import { priceTotal, prorated } from '../src/payments/prices/amounts.ts'
import { cycleStart, nextBoundary } from '../src/payments/subscriptions/periods.ts'
import { createCustomerWithCard, createPrices, sandboxAt, settings } from './support/sandbox.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const compileCache = fileURLToPath(new URL('../../../.cache/compile', import.meta.url))

/** Starts the program, and stops it by a signal. */
async function startProgram(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    // As in `npm start`.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return sandboxAt(JSON.parse(String(line)), async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
  })
}

test('data survives a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const env = { SANDBOX_MEMORY: '0', DATA_DIR: folder }
  const one = await startProgram(env)
  const { seat } = await createPrices(one.stripe)
  const { customer } = await createCustomerWithCard(one.stripe, '4242424242424242')
  const made = await one.stripe.subscriptions.create(
    { customer: customer.id, items: [{ price: seat.id }] },
    { idempotencyKey: 'once' },
  )
  await one.stop()
  const two = await startProgram(env)
  const replayed = await two.stripe.subscriptions.create(
    { customer: customer.id, items: [{ price: seat.id }] },
    { idempotencyKey: 'once' },
  )
  expect(replayed.id).toBe(made.id)
  expect(await two.stripe.subscriptions.retrieve(made.id)).toMatchObject({ status: 'active' })
  await two.post('/sandbox/reset')
  expect((await two.stripe.customers.list()).data).toEqual([])
  await two.stop()
  rmSync(folder, { recursive: true })
})

test('a live key or an invalid port stops the start with a reason', () => {
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk_live_abc' })).toThrow(/STRIPE_SECRET_KEY/)
  expect(() => readConfig({ SANDBOX_PORT: 'five' })).toThrow(/SANDBOX_PORT/)
  const ended = spawnSync(process.execPath, [main], { env: { SANDBOX_PORT: 'five' }, encoding: 'utf8' })
  expect(ended).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SANDBOX_PORT must be a port number'),
  })
})

test('the generated schemas match the installed SDK', () => {
  // If this fails, run `node scripts/derive-schemas.ts` in apps/sandbox.
  expect(renderSchemas(deriveSchemas()) === readFileSync(schemaFile, 'utf8')).toBe(true)
}, 60_000)

const at = (text: string) => Date.parse(`${text}T10:00:00Z`) / 1000
const month = { interval: 'month', interval_count: 1 } as const
const year = { interval: 'year', interval_count: 1 } as const

test.each([
  [at('2027-01-31'), month, 1, '2027-02-28'],
  [at('2027-01-31'), month, 2, '2027-03-31'],
  [at('2027-11-30'), month, 3, '2028-02-29'],
  [at('2028-02-29'), year, 1, '2029-02-28'],
  [at('2028-02-29'), year, 4, '2032-02-29'],
  [at('2027-01-01'), { interval: 'week', interval_count: 2 } as const, 1, '2027-01-15'],
])('cycle %#', (anchor, cycle, n, expected) => {
  expect(cycleStart(anchor, cycle, n)).toBe(at(expected))
})

test('nextBoundary returns a time after the given one, however far', () => {
  expect(nextBoundary(at('2027-01-31'), month, at('2027-01-31'))).toBe(at('2027-02-28'))
  expect(nextBoundary(at('2027-01-31'), month, at('2027-02-28'))).toBe(at('2027-03-31'))
  expect(nextBoundary(at('2020-01-31'), month, at('2027-06-29'))).toBe(at('2027-06-30'))
})

test('a proration is the share of the remaining seconds', () => {
  expect(prorated(3_000, 75, 0, 100)).toBe(750)
  expect(prorated(3_000, 200, 0, 100)).toBe(0)
  expect(prorated(1, 49, 0, 100)).toBe(1)
})

test.each([
  [0, 0],
  [100, 0],
  [150, 100],
])('graduated tiers for %i come to %i', (quantity, total) => {
  const tier = { unit_amount: null, flat_amount: null, flat_amount_decimal: null }
  const _tiers = [
    { ...tier, up_to: 100, unit_amount_decimal: '0' },
    { ...tier, up_to: null, unit_amount_decimal: '2' },
  ]
  const price = {
    id: 'p',
    object: 'price',
    created: 0,
    active: true,
    billing_scheme: 'tiered',
    currency: 'usd',
    lookup_key: null,
  } as const
  const rest = {
    nickname: null,
    product: 'x',
    recurring: null,
    type: 'recurring',
    unit_amount: null,
    unit_amount_decimal: null,
  } as const
  expect(priceTotal({ ...price, ...rest, tiers_mode: 'graduated', _tiers }, quantity)).toBe(total)
})
