import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerWith, type Running, startSandbox } from './support/sandbox.ts'

let sandbox: Running
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const plant = (match: string, more: Record<string, unknown> = {}) =>
  sandbox.post('/sandbox/faults', { match, kind: '500', ...more })
const names = async () => (await sandbox.stripe.customers.list({ limit: 100 })).data.map(one => one.name)

test('a reset does nothing and answers nothing, unlike a reply that is lost', async () => {
  for (const [kind, done] of [
    ['reset', false],
    ['drop_after_commit', true],
  ] as const) {
    // A connection that breaks is tried once more by the SDK.
    await plant('POST /v1/customers', { kind, times: 2 })
    const made = sandbox.stripe.customers.create({ name: kind })
    await expect(made).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect((await names()).includes(kind)).toBe(done)
  }
})

test('a fault strikes the very call that is meant: by its end, by any id in it, and after so many others', async () => {
  const { customer, method } = await customerWith(sandbox.stripe, '4242424242424242')
  const read = () => sandbox.stripe.customers.retrieve(customer.id)
  await plant('GET /v1/customers$')
  await read()
  await expect(names()).rejects.toMatchObject({ statusCode: 500 })
  await plant('POST /v1/payment_methods/*/detach$')
  await sandbox.stripe.paymentMethods.retrieve(method.id)
  await expect(sandbox.stripe.paymentMethods.detach(method.id)).rejects.toMatchObject({ statusCode: 500 })
  await plant('GET /v1/customers/', { after: 2 })
  await read()
  await read()
  await expect(read()).rejects.toMatchObject({ statusCode: 500 })
  await read()
})
