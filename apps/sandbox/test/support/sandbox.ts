import { once } from 'node:events'
import { createServer } from 'node:http'
import Stripe from 'stripe'
import { startSandbox as start } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'

export interface Running {
  stripe: Stripe
  origin: string
  port: number
  smtpPort: number
  post: (path: string, body?: unknown) => Promise<Response>
  stop: () => Promise<void>
}

/** On free ports, in memory, with every answer judged. */
export const settings = {
  SANDBOX_PORT: '0',
  SANDBOX_SMTP_PORT: '0',
  SANDBOX_MEMORY: '1',
  SANDBOX_CHECK: '1',
}

/** Starts a sandbox in the tests' own process: what every start of the program reads and compiles is there already. */
export async function startSandbox(env: Record<string, string> = {}): Promise<Running> {
  const { close, ...ports } = await start(readConfig({ ...settings, ...env }))
  return running(ports, close)
}

export function running({ port, smtpPort }: { port: number; smtpPort: number }, stop: () => Promise<void>) {
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

export interface Sink {
  url: string
  /** Every body that came, with its signature, in order. */
  received: { body: string; signature: string }[]
  stop: () => Promise<void>
}

/** Something for webhooks to arrive at. */
export async function startSink(answer: () => number = () => 200): Promise<Sink> {
  const received: Sink['received'] = []
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

export interface Shop {
  seat: Stripe.Price
  yearly: Stripe.Price
}

/** A plan per seat, by the month and by the year. */
export async function openShop(stripe: Stripe): Promise<Shop> {
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

export async function customerWith(stripe: Stripe, number: string, clock?: string) {
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock })
  const method = await cardOf(stripe, number)
  await stripe.paymentMethods.attach(method.id, { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  return { customer, method }
}

export const cardOf = (stripe: Stripe, number: string) =>
  stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2040, cvc: '123' } })

/** The expanded object behind a field that holds an id or an object. */
export function expanded<T extends { id: string }>(value: string | T | null | undefined): T {
  if (!value || typeof value === 'string') throw new Error('the field was not expanded')
  return value
}

export function first<T>(list: { data: readonly T[] }): T {
  const [item] = list.data
  if (!item) throw new Error('the list is empty')
  return item
}

/** The payment behind a subscription's latest invoice. */
export async function latestIntent(stripe: Stripe, subscription: string) {
  const found = await stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice.payments'] })
  const { payments } = expanded<Stripe.Invoice>(found.latest_invoice)
  if (!payments) throw new Error('the payments were not expanded')
  return stripe.paymentIntents.retrieve(String(first(payments).payment.payment_intent))
}

export const answerBank = (
  sandbox: Running,
  intent: { id: string; client_secret: string | null },
  outcome: 'complete' | 'fail',
) => sandbox.post(`/sandbox/3ds/${intent.id}`, { client_secret: intent.client_secret, outcome })

export const typesOf = async (stripe: Stripe, objectId: string) => {
  const types: string[] = []
  for await (const event of stripe.events.list({ limit: 100 }))
    if ('id' in event.data.object && event.data.object.id === objectId) types.unshift(event.type)
  return types
}

/** The body of an answer, as the caller says it is. */
export const bodyOf = async <T>(answer: Response | Promise<Response>) => (await (await answer).json()) as T // a test looks at what it names
