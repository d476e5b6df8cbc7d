import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { test as base, expect } from '@playwright/test'
import { expectAccessible } from '../support/browser/axe.ts'

interface Sandbox {
  origin: string
  /** Calls the payments server and returns its reply. */
  call: (path: string, form: Record<string, string>) => Promise<{ status: number; body: { id: string } }>
}

/** A separate sandbox: moving the clock of the shared one would renew the subscriptions of all tests. */
const test = base.extend<{ sandbox: Sandbox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern
  sandbox: async ({}, use) => {
    const child = spawn(process.execPath, ['apps/sandbox/src/main.ts'], {
      env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', SANDBOX_MEMORY: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(child.stdout), 'line')
    const origin = `http://localhost:${JSON.parse(String(line)).port}`
    await use({
      origin,
      call: async (path, form) => {
        const answer = await fetch(origin + path, {
          method: 'POST',
          headers: { authorization: 'Bearer sk_test_sandbox' },
          body: new URLSearchParams(form),
        })
        return { status: answer.status, body: await answer.json() }
      },
    })
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  },
})

/** Creates a monthly subscription and a webhook endpoint. */
async function createSubscription({ call }: Sandbox, hook: string): Promise<string> {
  await call('/v1/webhook_endpoints', { url: hook, 'enabled_events[0]': '*' })
  const product = (await call('/v1/products', { name: 'Startup' })).body.id
  const price = await call('/v1/prices', {
    product,
    currency: 'usd',
    unit_amount: '1200',
    'recurring[interval]': 'month',
  })
  const customer = (await call('/v1/customers', { payment_method: 'pm_card_visa' })).body.id
  const methods = await call('/v1/payment_methods', { type: 'card', 'card[token]': 'tok_visa' })
  await call(`/v1/payment_methods/${methods.body.id}/attach`, { customer })
  await call('/v1/subscriptions', {
    customer,
    'items[0][price]': price.body.id,
    default_payment_method: methods.body.id,
  })
  return customer
}

async function openWebhookEndpoint() {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    received += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}/`, countReceived: () => received, close: () => server.close() }
}

for (const [name, width, colorScheme] of [
  ['a wide screen', 1440, 'light'],
  ['a phone at night', 390, 'dark'],
] as const)
  test.describe(`on ${name}`, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme })

    test('the clock moves, calls fail and webhooks are dropped on request, by keyboard alone', async ({
      page,
      sandbox,
    }) => {
      const troubles: string[] = []
      page.on('pageerror', error => troubles.push(String(error)))
      page.on('console', message => message.type() === 'error' && troubles.push(message.text()))
      const endpoint = await openWebhookEndpoint()
      await page.goto(`${sandbox.origin}/sandbox`)
      await page.getByRole('link', { name: 'Time and events' }).click()
      await expect(page.getByText('Nothing has happened yet')).toBeVisible()
      await expect(page.getByRole('button', { name: 'To the next renewal' })).toBeDisabled()
      await expectAccessible(page, 'the empty page')

      const customer = await createSubscription(sandbox, endpoint.url)
      await expect(page.getByText('customer.subscription.created')).toBeVisible()
      await page.getByRole('button', { name: 'To the next renewal' }).press('Enter')
      await expect(page.getByText('Moved: to the next renewal.')).toBeVisible()
      await expect(page.getByText('invoice.paid')).toHaveCount(2)

      await page.getByRole('switch', { name: 'Too many requests' }).press('Space')
      await expect(page.getByText('Too many requests: on.')).toBeVisible()
      await expect(page.getByText('1 to come')).toBeVisible()
      expect((await sandbox.call('/v1/customers', {})).status).toBe(429)
      await expect(page.getByRole('switch', { name: 'Too many requests' })).not.toBeChecked()

      await page.getByRole('switch', { name: 'Lost for good' }).press('Space')
      await expect(page.getByText('Lost for good: on.')).toBeVisible()
      await sandbox.call(`/v1/customers/${customer}`, { name: 'Lost' })
      await expect(page.getByText('lost', { exact: true })).toBeVisible()
      const before = endpoint.countReceived()
      await page
        .getByRole('button', { name: `Resend customer.updated of ${customer}` })
        .first()
        .press('Enter')
      await expect(page.getByText('customer.updated is on its way again.')).toBeVisible()
      await expect(page.getByText('lost', { exact: true })).toHaveCount(0)
      await expect.poll(endpoint.countReceived).toBe(before + 1)

      await expectAccessible(page, 'the page in use')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(troubles).toEqual([])
      endpoint.close()
    })
  })
