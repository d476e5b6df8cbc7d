import type { Page } from '@playwright/test'
import { isCardPage } from '@plinth/contract/card-pages'
import { bankFrame, planRadio } from '../support/pages/card-form.ts'
import { button, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { mockStripe, stripeCardNumber, stripeHosts } from '../support/payments/stripe-double.ts'
import { createVerifiedPerson } from '../support/people/people.ts'
import { sandboxSmtpPort, withSeparateServer } from '../support/server/separate-server.ts'
import { expect as bare, test as base } from '../support/test.ts'
import { sandboxUrl } from '../support/urls.ts'

/** A second server and the payment provider take longer on a busy machine. */
const expect = bare.configure({ timeout: 30_000 })

/** A server with its own Stripe keys and no sandbox mode; the sandbox still answers its Stripe calls. */
const test = base.extend<{ serverUrl: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern
  serverUrl: async ({}, use) => {
    await withSeparateServer(
      { SANDBOX: '0', SMTP_URL: `smtp://127.0.0.1:${sandboxSmtpPort}` },
      ({ origin }) => use(origin),
    )
  },
})

test.describe.configure({ timeout: 240_000 })

const hasStripe = (page: Page) => page.evaluate(() => 'Stripe' in window)

test('[T-02] [rule:form.card.token] [rule:form.card.action] with real Stripe keys only the three card pages allow the Stripe script and use its field', async ({
  serverUrl,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(402, 422)
  consoleGuard.allowHost(new URL(serverUrl).host, ...stripeHosts)
  const page = await openOtherBrowser({ baseURL: serverUrl })
  await mockStripe(page.context())
  const seen = new Map<string, boolean>()
  const requestedHosts = new Set<string>()
  page.on('request', request => requestedHosts.add(new URL(request.url()).host))
  page.on('response', response => {
    const { origin, pathname } = new URL(response.url())
    if (!response.request().isNavigationRequest() || origin !== serverUrl) return
    seen.set(pathname, (response.headers()['content-security-policy'] ?? '').includes('stripe.com'))
  })

  await signIn(page, await createVerifiedPerson({ serverUrl }))
  await expectPath(page, '/signup/plan')
  await planRadio(page, 'startup').check()
  await stripeCardNumber(page).fill(cards.asksBank)
  await button(page, /^Start/).click()
  await bankFrame(page).getByRole('link', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await hasStripe(page)).toBe(false)

  await page.goto('/account/billing?tab=card')
  await stripeCardNumber(page).fill(cards.declined)
  await button(page, 'Save card').click()
  const card = page.getByRole('group', { name: 'Card' })
  await expect(card).toHaveAccessibleDescription(/^Your card was declined/)
  await expect(stripeCardNumber(page)).toBeFocused()
  const next = newCardNumber()
  await stripeCardNumber(page).fill(next)
  await button(page, 'Save card').click()
  await expect(toast(page, `Visa ending ${next.slice(-4)} is now your card`)).toBeVisible()

  await page.getByRole('link', { name: 'Profile' }).first().click()
  await expectPath(page, '/account/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await hasStripe(page)).toBe(false)
  await page.goto('/account/upgrade?plan=scale')
  await button(page, 'Use another card').click()
  await stripeCardNumber(page).fill(newCardNumber())
  await button(page, /^Pay \$49/).click()
  await expect(page.getByText('You’re now on Scale')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  expect([...seen.keys()].filter(isCardPage).sort()).toEqual([
    '/account/billing',
    '/account/upgrade',
    '/signup/plan',
  ])
  for (const [path, open] of seen) expect(open, path).toBe(isCardPage(path))
  expect(await hasStripe(page)).toBe(false)
  // The card number goes from the frame of Stripe to Stripe only.
  expect([...requestedHosts]).not.toContain(new URL(sandboxUrl).host)
})
