import type { Locator, Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForSubject } from '../support/mail.ts'
import { cardForm, planRadio } from '../support/pages/card-form.ts'
import { button, toast } from '../support/pages/elements.ts'
import { expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { createTestClock } from '../support/payments/payment-provider.ts'
import { createOnboardedPerson, updateUser } from '../support/people/people.ts'
import { changeCard, createSubscriber } from '../support/people/subscribers.ts'
import { expect, test } from '../support/test.ts'
import { languageViewports, matchOneOf, planName, textsOf } from '../support/texts.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const billing = '/account/billing'

/** Expects that the scroll container does not cut off the focus ring. */
async function expectFocusRingVisible(place: Locator): Promise<void> {
  const room = await place.evaluate(box => {
    const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(box)
    const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
    const inner = box.getBoundingClientRect()
    const outer = box.parentElement?.getBoundingClientRect() ?? inner
    const gaps = [
      inner.left - outer.left,
      inner.top - outer.top,
      outer.right - inner.right,
      outer.bottom - inner.bottom,
    ]
    return outlineStyle === 'none' ? -1 : Math.min(...gaps) - reach
  })
  expect(room).toBeGreaterThanOrEqual(0)
}

test('[screen:billing.plan-form] [call:PATCH /api/account/plan] yearly to monthly with a credit, then to Scale; price, usage and invoice are shown', async ({
  page,
  context,
}) => {
  await openAs(page, await createSubscriber({ plan: 'startup_yearly' }), billing)
  await expect(planRadio(page, 'yearly')).toBeChecked()
  await planRadio(page, 'startup').check()
  await expect(page.getByText('Credit for the next invoices')).toBeVisible()
  await button(page, 'Change to Startup').click()
  await expect(toast(page, 'Your plan is now Startup')).toBeVisible()
  await expect(planRadio(page, 'startup')).toBeChecked()
  await planRadio(page, 'scale').check()
  await expect(page).toHaveURL(/plan=scale/)
  await expect(region(page, 'What you will pay')).toContainText('Due now')
  await page.reload()
  await expect(planRadio(page, 'scale')).toBeChecked()
  await expectAccessible(page, 'another plan with its price')
  await button(page, /^Change to Scale/).click()
  await expect(toast(page, 'Your plan is now Scale')).toBeVisible()
  await expect(region(page, 'Your plan')).toContainText('$49.00')
  await expect(region(page, 'Usage')).toContainText('0 events')

  await tab(page, 'Invoices').click()
  const row = page.getByRole('row').filter({ hasText: '$120.00' })
  await expect(row.getByRole('cell').nth(2)).toHaveText('Paid')
  await expectAccessible(page, 'the invoices')
  const link = row.getByRole('link', { name: /^Download/ })
  const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
  await opened.close()
  const pdf = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(pdf.headers()['content-type']).toBe('application/pdf')
})

test('[screen:billing.plan-form] a person in a trial pays for Scale at once and gets a credit when downgrading', async ({
  page,
}) => {
  await openAs(page, await createSubscriber({ plan: 'startup' }), billing)
  await expect(region(page, 'Your plan')).toContainText('Trial')
  await planRadio(page, 'scale').check()
  await button(page, 'Change to Scale and pay $49.00 now').click()
  await expect(toast(page, 'Your plan is now Scale')).toBeVisible()
  await expect(region(page, 'Your plan')).toContainText('Active')
  await planRadio(page, 'startup').check()
  await expect(page.getByText('Credit for the next invoices')).toBeVisible()
  await button(page, 'Change to Startup').click()
  await expect(toast(page, 'Your plan is now Startup')).toBeVisible()
  await expect(region(page, 'Your plan')).toContainText('$12.00')
  await expect(region(page, 'Usage')).toHaveCount(0)
})

test('[screen:billing.free-warning] [screen:billing.cancel-notice] [state:plan.to-free] a downgrade to free waits for the period end, is undone, then takes effect', async ({
  page,
}) => {
  const person = await createSubscriber({ plan: 'startup' })
  await openAs(page, person, billing)
  await planRadio(page, 'free').check()
  await expect(page.getByText(/^Startup stays until/)).toBeVisible()
  await expectAccessible(page, 'the downgrade to free with its warning')
  await button(page, 'Change to free at period end').click()
  await expect(toast(page, 'You’ll move to the free plan')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^Your plan ends on/).first()).toBeVisible()
  await expect(planRadio(page, 'startup')).toBeChecked()
  await expectAccessible(page, 'a plan that ends at the period end')
  await button(page, 'Keep Startup').click()
  await expect(toast(page, 'You’re keeping Startup')).toBeVisible()
  await page.reload()
  await expect(region(page, 'Your plan')).toContainText('Startup')
  await expect(page.getByText(/^Your plan ends on/)).toHaveCount(0)

  const { token } = person.user
  await callApi('PATCH', '/api/account/plan', { token, body: { plan: 'free' } })
  await (await createTestClock(person))(15)
  await waitForSubject(person.email, /^Your plan is now Free$/, person.lastMail)
  await page.reload()
  await expect(region(page, 'Your plan')).toContainText('Free')
  await expect(region(page, 'Your plan')).toContainText('Active')
  await expect(page.getByRole('tab')).toHaveText(['Plan'])
})

for (const { language, where, use } of languageViewports) {
  const t = textsOf(language)
  const { typeCard, cardNumber, planRadio, answerBank } = cardForm(language)
  const amount = { en: { year: '$120.00', scale: '$49.00' }, de: { year: '120,00 $', scale: '49,00 $' } }[
    language
  ]
  const pays = (plan: string, sum: string) =>
    t('billing.change.pay', { plan: planName(language, plan), amount: sum })

  test.describe(where, () => {
    test.use(use)
    // The server answers a declined card with these statuses.
    test.beforeEach(({ consoleGuard }) => consoleGuard.allowStatus(402, 422))

    test('[screen:billing.card] [call:PATCH /api/account/card] [entity:card.masked] a card is replaced: declined, accepted, and accepted after 3-D Secure', async ({
      page,
    }) => {
      await openAs(
        page,
        await createSubscriber({ plan: 'scale', card: cards.valid, language }),
        `${billing}?tab=card`,
      )
      const card = region(page, t('billing.saved.title'))
      const save = button(page, t('billing.saved.save'))
      await expect(card).toContainText('•••• 4242')
      await expect(card).toContainText('12 / 34')
      await expect(card.getByText('•••', { exact: true })).toBeVisible()
      await expectAccessible(page, 'the card')
      await expectNoSidewaysScroll(page)

      await typeCard(page, cards.declined)
      await save.click()
      await expect(cardNumber(page)).toHaveAccessibleDescription(t('billing.card.declined'))
      await expect(card).toContainText('•••• 4242')

      await typeCard(page, cards.mastercard)
      await save.click()
      const ending = t('billing.saved.ending', { brand: 'Mastercard', last4: '4444' })
      await expect(toast(page, t('billing.saved.done', { card: ending }), language)).toBeVisible()
      await expect(card).toContainText('•••• 4444')
      await expect(cardNumber(page)).toHaveValue('')

      await typeCard(page, cards.asksBank)
      await save.click()
      await answerBank(page, 'Fail')
      await expect(cardNumber(page)).toHaveAccessibleDescription(t('billing.card.not_authorized'))
      await save.click()
      await answerBank(page, 'Complete')
      await expect(card).toContainText('•••• 3155')
      await page.reload()
      await expect(card).toContainText('•••• 3155')
    })

    test('[rule:form.card.action] monthly to yearly with 3-D Secure on the card on file: closed, then confirmed', async ({
      page,
    }) => {
      const person = await createSubscriber({ plan: 'startup', card: newCardNumber(), language })
      await openAs(page, person, `${billing}?tab=card`)
      await typeCard(page, cards.alwaysAsksBank)
      await button(page, t('billing.saved.save')).click()
      await answerBank(page, 'Complete')
      await expect(region(page, t('billing.saved.title'))).toContainText('•••• 3184')
      await tab(page, t('billing.tabs.plan')).click()
      await planRadio(page, 'yearly').check()
      const pay = button(page, pays('startup_yearly', amount.year))
      await pay.click()
      await expect(page.getByRole('dialog', { name: t('billing.bank.title') })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(pay).toHaveAccessibleDescription(t('billing.card.bank_canceled'))
      await expectNoSidewaysScroll(page)
      await pay.click()
      await answerBank(page, 'Complete')
      const done = t('billing.change.done', { plan: planName(language, 'startup_yearly') })
      await expect(toast(page, done, language)).toBeVisible()
    })

    test('[state:form.nothing-lost] a declined card on file is reported at the button; the choice stays while a new card is saved', async ({
      page,
    }) => {
      const person = await createSubscriber({ plan: 'startup', language })
      await changeCard(person, cards.declinedOnCharge)
      await openAs(page, person, billing)
      await planRadio(page, 'scale').check()
      const pay = button(page, pays('scale', amount.scale))
      await pay.click()
      await expect(pay).toHaveAccessibleDescription(t('billing.card.declined'))
      await expect(pay).toBeFocused()
      await expectAccessible(page, 'a refused card on file')
      await expectNoSidewaysScroll(page)
      await page.getByRole('link', { name: t('billing.change.other_card') }).click()
      await typeCard(page, newCardNumber())
      await button(page, t('billing.saved.save')).click()
      await expect(toast(page, matchOneOf(t('billing.saved.done')), language)).toBeVisible()
      await tab(page, t('billing.tabs.plan')).click()
      await expect(planRadio(page, 'scale')).toBeChecked()
      await pay.click()
      const done = t('billing.change.done', { plan: planName(language, 'scale') })
      await expect(toast(page, done, language)).toBeVisible()
    })
  })
}

test('[screen:billing.tabs] the free plan has one tab and a link to upgrade; arrow keys move between tabs of a paid one', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), `${billing}?tab=card`)
  await expect(page.getByRole('tab')).toHaveText(['Plan'])
  await planRadio(page, 'startup').check()
  await page.getByRole('link', { name: 'Continue with Startup' }).click()
  await expectPath(page, /^\/account\/upgrade\?plan=startup$/)

  await openAs(page, await createSubscriber({ plan: 'scale' }), billing)
  await tab(page, 'Plan').focus()
  await expectFocusRingVisible(tab(page, 'Plan'))
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Card')).toBeFocused()
  await expectFocusRingVisible(tab(page, 'Card'))
  await expect(page).toHaveURL(/tab=card/)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tabpanel', { name: 'Invoices' })).toBeVisible()
  await page.goBack()
  await expect(tab(page, 'Card')).toHaveAttribute('aria-selected', 'true')
})

test.describe('on a small phone, in German and in the dark', () => {
  test.use({ locale: 'de-DE', viewport: { width: 320, height: 700 } })

  test('[feature:translated] the billing screen fits and can be used', async ({ page }) => {
    const person = await createSubscriber({ plan: 'scale', language: 'de' })
    await updateUser(person.user, { dark_mode: true })
    await openAs(page, { ...person, user: { ...person.user, dark_mode: true } }, billing)
    await expect(page.locator('html')).toHaveClass(/dark/)
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    await page.getByRole('radio', { name: /^Startup jährlich/ }).check()
    await expect(button(page, /^Zu Startup jährlich wechseln und jetzt/)).toBeVisible()
    expect(await fits()).toBe(true)
    await expectAccessible(page, 'billing in German')
    for (const name of ['Karte', 'Rechnungen']) {
      await tab(page, name).click()
      await expect(page.getByRole('tabpanel', { name })).toContainText(/•••• \d{4}|Bezahlt/)
      expect(await fits()).toBe(true)
      await expectAccessible(page, `${name} in German`)
    }
  })
})
