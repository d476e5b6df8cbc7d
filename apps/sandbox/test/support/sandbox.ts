import { once } from 'node:events'
import { createServer } from 'node:http'
import Stripe from 'stripe'
import { afterAll } from 'vitest'
import { startSandbox as start } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'

export interface RunningSandbox {
  stripe: Stripe
  origin: string
  port: number
  smtpPort: number
  post: (path: string, body?: unknown) => Promise<Response>
  stop: () => Promise<void>
}

/** Free ports, data in memory, every reply checked. */
export const settings = {
  SANDBOX_PORT: '0',
  SANDBOX_SMTP_PORT: '0',
  SANDBOX_MEMORY: '1',
  SANDBOX_CHECK: '1',
}

/** Starts a sandbox in the tests' process, where its modules are already loaded. */
export async function startSandbox(env: Record<string, string> = {}): Promise<RunningSandbox> {
  const { close, ...ports } = await start(readConfig({ ...settings, ...env }))
  return sandboxAt(ports, close)
}

/** A sandbox for the tests of one file. */
export async function sandboxForFile() {
  const sandbox = await startSandbox()
  afterAll(() => sandbox.stop())
  return sandbox
}

/** A sandbox with a price list for the tests of one file. */
export async function sandboxWithPrices() {
  const sandbox = await sandboxForFile()
  const { stripe } = sandbox
  return { sandbox, stripe, prices: await createPrices(stripe) }
}

export function sandboxAt({ port, smtpPort }: { port: number; smtpPort: number }, stop: () => Promise<void>) {
  const origin = `http://localhost:${port}`
  const post = (path: string, body: unknown = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { stripe: client(port), origin, port, smtpPort, post, stop }
}

export const client = (port: number, config: Stripe.StripeConfig = {}) =>
  new Stripe('sk_test_sandbox', {
    host: 'localhost',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    ...config,
  })

export interface WebhookReceiver {
  url: string
  /** Received bodies and signatures, in order. */
  received: { body: string; signature: string }[]
  stop: () => Promise<void>
}

/** An HTTP server that receives webhooks. */
export async function startWebhookReceiver(answer: () => number = () => 200): Promise<WebhookReceiver> {
  const received: WebhookReceiver['received'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ body, signature: String(request.headers['stripe-signature']) })
    response.writeHead(answer()).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Prices {
  seat: Stripe.Price
  yearly: Stripe.Price
}

/** A price per seat, monthly and yearly. */
export async function createPrices(stripe: Stripe): Promise<Prices> {
  const product = await stripe.products.create({ name: 'Startup' })
  const price = (interval: 'month' | 'year', amount: number) =>
    stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval },
    })
  return { seat: await price('month', 1_200), yearly: await price('year', 12_000) }
}

export async function createCustomerWithCard(stripe: Stripe, number: string, clock?: string) {
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock })
  const method = await createCard(stripe, number)
  await stripe.paymentMethods.attach(method.id, { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  return { customer, method }
}

export const createCard = (stripe: Stripe, number: string) =>
  stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2040, cvc: '123' } })

/** The object of an expanded field. */
export function expanded<T extends { id: string }>(value: string | T | null | undefined): T {
  if (!value || typeof value === 'string') throw new Error('the field was not expanded')
  return value
}

export function first<T>(list: { data: readonly T[] }): T {
  const [item] = list.data
  if (!item) throw new Error('the list is empty')
  return item
}

/** The payment intent of a subscription's latest invoice. */
export async function latestIntent(stripe: Stripe, subscription: string) {
  const found = await stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice.payments'] })
  const { payments } = expanded<Stripe.Invoice>(found.latest_invoice)
  if (!payments) throw new Error('the payments were not expanded')
  return stripe.paymentIntents.retrieve(String(first(payments).payment.payment_intent))
}

export const complete3dSecure = (
  sandbox: RunningSandbox,
  intent: { id: string; client_secret: string | null },
  outcome: 'complete' | 'fail',
) => sandbox.post(`/sandbox/3ds/${intent.id}`, { client_secret: intent.client_secret, outcome })

export const eventTypes = async (stripe: Stripe, objectId: string) => {
  const types: string[] = []
  for await (const event of stripe.events.list({ limit: 100 }))
    if ('id' in event.data.object && event.data.object.id === objectId) types.unshift(event.type)
  return types
}

/** The body of a reply, with the caller's type. */
export const bodyOf = async <T>(answer: Response | Promise<Response>) => (await (await answer).json()) as T // as: the test checks the fields that it reads
