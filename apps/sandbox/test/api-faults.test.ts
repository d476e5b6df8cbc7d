import { expect, test } from 'vitest'
import { createCustomerWithCard, sandboxForFile } from './support/sandbox.ts'

const sandbox = await sandboxForFile()

const plant = (match: string, more: Record<string, unknown> = {}) =>
  sandbox.post('/sandbox/faults', { match, kind: '500', ...more })
const names = async () => (await sandbox.stripe.customers.list({ limit: 100 })).data.map(one => one.name)

test('a reset connection runs no call, unlike a lost reply', async () => {
  for (const [kind, done] of [
    ['reset', false],
    ['drop_after_commit', true],
  ] as const) {
    // The SDK retries a broken connection once.
    await plant('POST /v1/customers', { kind, times: 2 })
    const made = sandbox.stripe.customers.create({ name: kind })
    await expect(made).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect((await names()).includes(kind)).toBe(done)
  }
})

test('a fault matches by end of path, by any id in it, and after a number of calls', async () => {
  const { customer, method } = await createCustomerWithCard(sandbox.stripe, '4242424242424242')
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
