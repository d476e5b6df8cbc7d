import type { Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForSubject } from '../support/mail.ts'
import { cardForm } from '../support/pages/card-form.ts'
import { button, toast } from '../support/pages/elements.ts'
import { expectFitsAndAccessible, expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import {
  cancelAtProvider,
  createTestClock,
  listSubscriptionStatuses,
} from '../support/payments/payment-provider.ts'
import { createVerifiedPerson } from '../support/people/people.ts'
import { createSubscriber } from '../support/people/subscribers.ts'
import { expect as bare, test } from '../support/test.ts'
import { germanPhone, matchOneOf, planName, textsOf } from '../support/texts.ts'

/** A payment passes the provider, a webhook and a job, which takes longer on a busy machine. */
const expect = bare.configure({ timeout: 30_000 })

const billing = '/account/billing'
const language = 'de'
const t = textsOf(language)
const { planRadio, typeCard, submitPlan } = cardForm(language)
/** Such as 22. Dez. 2026 or 4. Mai 2027. */
const germanDay = / \d{1,2}\. \p{L}+\.? \d{4}/u

const names = {
  free: planName(language, 'free'),
  startup: planName(language, 'startup'),
  yearly: planName(language, 'startup_yearly'),
  scale: planName(language, 'scale'),
}

const tab = (page: Page, name: string) =>
  page.getByRole('tab', { name: t(`billing.tabs.${name}`), exact: true })
const region = (page: Page, key: string) => page.getByRole('region', { name: t(key), exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const current = (page: Page) => region(page, 'billing.now.title')
const price = (page: Page) => region(page, 'billing.change.pay_title')

async function expectSays(page: Page, key: string, plan?: string): Promise<void> {
  await expect(toast(page, t(key, plan ? { plan } : {}), language)).toBeVisible()
}

test.describe('in German on a phone', () => {
  test.use(germanPhone())
  // Each test changes the plan several times, and some changes wait for the payment provider.
  test.slow()

  test('[feature:sign-up] [screen:billing.tabs] [screen:upgrade.form] [screen:billing.invoices] free to a Startup trial to Scale; then usage, card and invoice are shown', async ({
    page,
  }) => {
    const person = await createVerifiedPerson({ language, onboarded: true })
    await openAs(page, person, '/signup/plan')
    await expect(planRadio(page, 'free')).toBeVisible()
    await expectAccessible(page, 'the first plan')
    await planRadio(page, 'free').check()
    await button(page, t('billing.button.free')).click()
    await expectPath(page, '/dashboard')
    await page.goto(billing)
    await expect(page.getByRole('tab')).toHaveText([t('billing.tabs.plan')])
    await expect(current(page)).toContainText(/(^|[^\d,])0\s\$/)
    await planRadio(page, 'startup').check()
    await expectFitsAndAccessible(page, 'the free plan')
    await link(page, t('billing.change.upgrade', { plan: names.startup })).click()

    await expectPath(page, /^\/account\/upgrade\?plan=startup$/)
    await expect(planRadio(page, 'startup')).toBeChecked()
    await expectFitsAndAccessible(page, 'the upgrade')
    const card = newCardNumber()
    await typeCard(page, card)
    await button(page, t('billing.button.trial_other', { count: 14 })).click()
    await expect(page.getByText(t('billing.upgrade.done', { plan: names.startup }))).toBeVisible()
    await expectPath(page, '/dashboard')
    expect(await listSubscriptionStatuses(person)).toEqual(['trialing'])

    await page.goto(billing)
    await expect(current(page)).toContainText(t('billing.status.trialing'))
    await planRadio(page, 'scale').check()
    await expect(price(page)).toContainText('49,00 $')
    await expectNoSidewaysScroll(page)
    await button(page, t('billing.change.pay', { plan: names.scale, amount: '49,00 $' })).click()
    await expectSays(page, 'billing.change.done', names.scale)
    await expect(current(page)).toContainText(t('billing.status.active'))
    await expect(current(page)).toContainText('49,00 $')
    await expect(region(page, 'billing.usage.title')).toBeVisible()
    await expectFitsAndAccessible(page, 'Scale in German')

    await tab(page, 'card').click()
    await expect(region(page, 'billing.saved.title')).toContainText(`•••• ${card.slice(-4)}`)
    await tab(page, 'invoices').click()
    const row = page.getByRole('row').filter({ hasText: '49,00 $' })
    await expect(row).toContainText(t('billing.invoices.paid'))
    const pdf = row.getByRole('link', { name: matchOneOf(t('billing.invoices.download_named')) })
    await expect(pdf).toBeInViewport({ ratio: 1 })
    await expectFitsAndAccessible(page, 'the invoices in German')
    const file = await page.request.get((await pdf.getAttribute('href')) ?? '')
    expect(file.headers()['content-type']).toBe('application/pdf')
  })

  test('[screen:billing.plan-form] [screen:billing.free-warning] [screen:billing.cancel-notice] [state:plan.to-free] yearly to monthly, to Scale and back, to free and back, and a plan after the end', async ({
    page,
  }) => {
    const person = await createSubscriber({ plan: 'startup_yearly', language })
    await openAs(page, person, billing)
    const credit = price(page).getByText(t('billing.change.credit'))
    await planRadio(page, 'startup').check()
    await expect(credit).toBeVisible()
    await expectFitsAndAccessible(page, 'a credit in German')
    await button(page, t('billing.change.do', { plan: names.startup })).click()
    await expectSays(page, 'billing.change.done', names.startup)
    await expect(current(page)).toContainText('12,00 $')

    await planRadio(page, 'scale').check()
    await expect(price(page)).toContainText(t('billing.change.due'))
    await page.reload()
    await expect(planRadio(page, 'scale')).toBeChecked()
    await button(
      page,
      matchOneOf(
        t('billing.change.pay', { plan: names.scale }),
        t('billing.change.do', { plan: names.scale }),
      ),
    ).click()
    await expectSays(page, 'billing.change.done', names.scale)
    await planRadio(page, 'startup').check()
    await expect(credit).toBeVisible()
    await button(page, t('billing.change.do', { plan: names.startup })).click()
    await expect(current(page)).toContainText('12,00 $')
    await expect(region(page, 'billing.usage.title')).toHaveCount(0)

    const warning = page.getByText(matchOneOf(t('billing.change.free_from', { plan: names.startup })))
    const notice = page.locator('.alert', { hasText: t('billing.now.ending_text') })
    const keep = notice.getByRole('button', { name: t('billing.now.keep', { plan: names.startup }) })
    await planRadio(page, 'free').check()
    await expect(warning).toContainText(germanDay)
    await expectFitsAndAccessible(page, 'free with its warning in German')
    await button(page, t('billing.change.to_free')).click()
    await expectSays(page, 'billing.change.planned')
    await page.reload()
    await expect(notice).toContainText(germanDay)
    await expect(keep).toBeInViewport({ ratio: 1 })
    await expectFitsAndAccessible(page, 'a plan that ends in German')
    await keep.click()
    await expectSays(page, 'billing.now.kept', names.startup)
    await expect(keep).toHaveCount(0)

    await planRadio(page, 'free').check()
    await button(page, t('billing.change.to_free')).click()
    await expect(keep).toBeVisible()
    await (await createTestClock(person))(32)
    await waitForSubject(person.email, /^Ihr Tarif ist jetzt Free$/, person.lastMail)
    await page.reload()
    await expect(current(page)).toContainText(names.free)
    await expect(page.getByRole('tab')).toHaveText([t('billing.tabs.plan')])

    await planRadio(page, 'startup').check()
    await link(page, t('billing.change.upgrade', { plan: names.startup })).click()
    await typeCard(page, newCardNumber())
    await submitPlan(page)
    await expect(page.getByText(t('billing.upgrade.done', { plan: names.startup }))).toBeVisible()
  })

  test('[state:subscription.canceled] [text:banner.canceled] [state:subscription.banner-hides] a canceled person takes a yearly plan', async ({
    page,
  }) => {
    const person = await createSubscriber({ plan: 'scale', language })
    await cancelAtProvider(person)
    const { token } = person.user
    const status = async () =>
      (await callApi<{ subscription: string }>('GET', '/api/auth', { token })).data.subscription
    await expect.poll(status).toBe('canceled')
    await openAs(page, { ...person, user: { ...person.user, subscription: 'canceled' } }, billing)
    const banner = page.locator('.alert--danger', { hasText: t('billing.banner.canceled') })
    await banner.getByRole('link', { name: t('billing.button.none') }).click()
    await expectPath(page, '/signup/plan')
    await planRadio(page, 'yearly').check()
    await typeCard(page, cards.valid)
    await expectFitsAndAccessible(page, 'a plan after the end')
    await button(page, t('billing.button.pay', { amount: '120,00 $' })).click()
    await expectPath(page, '/dashboard')
    await page.goto(billing)
    await expect(current(page)).toContainText('120,00 $')
    await expect(banner).toHaveCount(0)
  })
})
