import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForSubject } from '../support/mail.ts'
import { answerBank, bankFrame, planRadio, submitPlan, typeCard } from '../support/pages/card-form.ts'
import { button, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { cancelAtProvider, createTestClock } from '../support/payments/payment-provider.ts'
import { type Person, updateUser } from '../support/people/people.ts'
import { changeCard, createSubscriber } from '../support/people/subscribers.ts'
import { expect as bare, test } from '../support/test.ts'
import { appUrl } from '../support/urls.ts'

// The clock moves, mails and jobs follow, and each banner is checked in two languages.
test.slow()

const billing = '/account/billing'
const languages = ['de', 'en'] as const
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** A payment passes the provider, a webhook and a job, which takes longer on a busy machine. */
const expect = bare.configure({ timeout: 30_000 })

type BannerTexts = { title: string; does: string }
type Banner = { tone: string; status: string } & Record<(typeof languages)[number], BannerTexts>

/** Expects the banner on every tab, readable and usable, in English on a desktop and in German on a phone. */
async function expectBanner(page: Page, person: Person, banner: Banner): Promise<void> {
  for (const locale of languages) {
    await updateUser(person.user, { locale })
    const user = { ...person.user, locale, subscription: banner.status }
    await openAs(page, { ...person, user }, billing)
    const { title, does } = banner[locale]
    const box = page.locator(`.alert--${banner.tone}`, { hasText: title })
    const action = box
      .getByRole('button', { name: does })
      .or(box.getByRole('link', { name: does, exact: true }))
    for (const size of locale === 'de' ? [desk, phone] : [phone, desk]) {
      await page.setViewportSize(size)
      await expect(box).toBeInViewport()
      await expect(action).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
    await expectAccessible(page, title)
  }
}

/** Lets a subscription renew with this card. @returns the person and the mail about the result */
async function renewWithCard(card: string, subject: RegExp) {
  const person = await createSubscriber({ plan: 'scale' })
  await changeCard(person, card)
  const advanceDays = await createTestClock(person)
  await advanceDays(32)
  return { person, advanceDays, mail: await waitForSubject(person.email, subject, person.lastMail) }
}

const alerts = (page: Page) => page.locator('.alert--danger, .alert--warning')
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** Expects the statuses of the invoices, newest first. */
async function expectInvoices(page: Page, statuses: string[]): Promise<void> {
  await tab(page, 'Invoices').click()
  const rows = page.getByRole('row').filter({ hasText: '$49.00' })
  await expect(rows).toHaveCount(statuses.length)
  for (const [n, status] of statuses.entries()) await expect(rows.nth(n)).toContainText(status)
}

test('[state:subscription.requires-payment-method] [text:banner.payment-failed] [screen:billing.status-banner] a failed renewal sends a mail and shows a banner; another card pays and reopens the account', async ({
  page,
}) => {
  const { person, advanceDays, mail } = await renewWithCard(
    cards.declinedOnCharge,
    /^Your latest payment failed$/,
  )
  expect(mail.links).toContain(appUrl + billing)
  await expectBanner(page, person, {
    tone: 'danger',
    status: 'requires_payment_method',
    en: { title: 'Your latest payment failed', does: 'Update card' },
    de: { title: 'Ihre letzte Zahlung ist fehlgeschlagen', does: 'Karte ändern' },
  })
  await expect(alerts(page)).toContainText(/^.*\$49\.00 is due\. Your card is charged again on .*$/)
  await expectInvoices(page, ['Unpaid', 'Paid'])
  await page.getByRole('link', { name: 'Update card' }).click()
  const card = page.getByRole('region', { name: 'Your card' })
  await expect(card).toContainText('•••• 0341')
  const next = newCardNumber()
  await typeCard(page, next)
  await button(page, 'Save card and pay $49.00').click()
  await expect(toast(page, 'is now your card')).toBeVisible()
  await expect(card).toContainText(`•••• ${next.slice(-4)}`)
  await expect(alerts(page)).toHaveCount(0)
  await expectInvoices(page, ['Paid', 'Paid'])
  await page.goto('/dashboard')
  await expectPath(page, '/dashboard')

  await advanceDays(31)
  await expect.poll(() => invoicesOf(person), { timeout: 30_000 }).toEqual(['paid', 'paid', 'paid'])
})

const actionSubject = /^You need to authorize your payment$/

test('[state:subscription.requires-action] [text:banner.authorize] [screen:billing.status-banner] a renewal that needs 3-D Secure sends a mail and a banner; confirming it pays', async ({
  page,
}) => {
  const { person, mail } = await renewWithCard(cards.alwaysAsksBank, actionSubject)
  await expectBanner(page, person, {
    tone: 'warning',
    status: 'requires_action',
    en: { title: 'You need to authorize your payment', does: 'Confirm the payment' },
    de: { title: 'Sie müssen Ihre Zahlung freigeben', does: 'Zahlung bestätigen' },
  })
  const action = page.getByRole('link', { name: 'Confirm the payment' })
  expect(mail.links).toContain(await action.getAttribute('href'))
  await expect(alerts(page)).toContainText('$49.00 is due.')
  const opened = page.waitForEvent('popup')
  await action.click()
  const provider = await opened
  await expect(provider.getByText('$49.00')).toBeVisible()
  await button(provider, 'Complete').click()
  await expect(provider.getByText('Confirmed.')).toBeVisible()
  await provider.close()
  await expect(async () => {
    await button(page, 'Check again').click({ timeout: 1000 })
    await expect(toast(page, 'Your subscription is active')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(alerts(page)).toHaveCount(0)
  await expectInvoices(page, ['Paid', 'Paid'])
})

test('[state:subscription.requires-action] [text:banner.authorize] a renewal that needs 3-D Secure is paid by entering the card again and confirming', async ({
  page,
}) => {
  const { person } = await renewWithCard(cards.alwaysAsksBank, actionSubject)
  await openAs(page, { ...person, user: { ...person.user, subscription: 'requires_action' } }, billing)
  await button(page, 'Check again').click()
  await expect(toast(page, 'Nothing new from your bank yet')).toBeVisible()
  await page.getByRole('link', { name: 'Or enter your card again and confirm here.' }).click()
  await typeCard(page, cards.alwaysAsksBank)
  await button(page, 'Save card and pay $49.00').click()
  // The bank confirms the card first, then the payment.
  await answerBank(page, 'Complete')
  await expect(bankFrame(page).getByText('$49.00')).toBeVisible()
  await answerBank(page, 'Complete')
  await expect(toast(page, 'is now your card')).toBeVisible()
  await expect(alerts(page)).toHaveCount(0)
  await expectInvoices(page, ['Paid', 'Paid'])
})

test('[state:subscription.canceled] [text:banner.canceled] [state:subscription.banner-hides] a canceled subscription asks for a new plan, which removes the banner', async ({
  page,
}) => {
  const person = await createSubscriber({ plan: 'scale' })
  await cancelAtProvider(person)
  const { token } = person.user
  const status = async () =>
    (await callApi<{ subscription: string }>('GET', '/api/auth', { token })).data.subscription
  await expect.poll(status, { timeout: 30_000 }).toBe('canceled')
  await expectBanner(page, person, {
    tone: 'danger',
    status: 'canceled',
    en: { title: 'Your subscription has been canceled', does: 'Choose a plan' },
    de: { title: 'Ihr Abonnement wurde gekündigt', does: 'Tarif wählen' },
  })
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expectPath(page, '/signup/plan')
  await planRadio(page, 'scale').check()
  await typeCard(page, newCardNumber())
  await submitPlan(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(billing)
  await expect(page.getByText('Current plan')).toBeVisible()
  await expect(alerts(page)).toHaveCount(0)
})

async function invoicesOf({ user }: Person): Promise<string[]> {
  type List = { status: string }[]
  const { data } = await callApi<List>('GET', '/api/account/invoice', { token: user.token })
  return data.map(({ status }) => status)
}
