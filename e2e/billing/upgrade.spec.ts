import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import {
  answerBank,
  bankFrame,
  cardNumber,
  planRadio,
  submitPlan,
  typeCard,
} from '../support/pages/card-form.ts'
import { button } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { listSubscriptionStatuses } from '../support/payments/payment-provider.ts'
import { createOnboardedPerson, type Person } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const activeStatuses = async (person: Person) =>
  (await listSubscriptionStatuses(person)).filter(status => status === 'active' || status === 'trialing')

const planOf = async ({ user }: Person) => {
  const { data } = await callApi<{ plan: string; subscription: string }>('GET', '/api/auth', {
    token: user.token,
  })
  return [data.plan, data.subscription]
}

test('[route:/account/upgrade?plan=] [screen:upgrade.form] [screen:upgrade.success] [const:upgrade.no-free] free to Scale with a card by keyboard alone, then the dashboard', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/upgrade?plan=startup')
  await expect(planRadio(page, 'startup')).toBeChecked()
  await expect(planRadio(page, 'free')).toHaveCount(0)
  await expectAccessible(page, 'the upgrade')

  await planRadio(page, 'startup').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectPath(page, /^\/account\/upgrade\?plan=scale$/)
  await page.keyboard.press('Tab')
  await expect(cardNumber(page)).toBeFocused()
  // The focus moves to the next field when one is complete.
  await page.keyboard.type(`${newCardNumber()}1234123`)
  await page.keyboard.press('Tab')
  await expect(button(page, 'Have a code?')).toBeFocused()
  // The button appears with the price: Tab would skip it before.
  await expect(button(page, 'Pay $49.00')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Pay $49.00')).toBeFocused()
  await page.keyboard.press('Enter')

  const news = page.getByText('You’re now on Scale')
  await expect(news).toBeVisible()
  await expectPath(page, '/dashboard')
  expect(await planOf(person)).toEqual(['scale', 'active'])
  expect(await activeStatuses(person)).toEqual(['active'])
})

test('[rule:form.server-field] [state:form.nothing-lost] a declined card shows an error at the card, and the next one pays', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(402, 422)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/upgrade?plan=scale')
  await typeCard(page, cards.declined)
  await submitPlan(page)
  await expect(cardNumber(page)).toHaveAccessibleDescription(/^Your card was declined/)
  await expect(cardNumber(page)).toBeFocused()
  await expect(cardNumber(page)).toHaveValue(/0002$/)
  await expect(planRadio(page, 'scale')).toBeChecked()
  expect((await planOf(person))[0]).toBe('free')

  await typeCard(page, newCardNumber())
  await submitPlan(page)
  await expect(page.getByText('You’re now on Scale')).toBeVisible()
  expect(await activeStatuses(person)).toEqual(['active'])
})

test('[rule:form.card.action] 3-D Secure fails, is closed, then succeeds', async ({ page, consoleGuard }) => {
  consoleGuard.allowStatus(402, 422)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/upgrade?plan=scale')
  await typeCard(page, cards.asksBank)
  await submitPlan(page)
  await answerBank(page, 'Fail')
  await expect(cardNumber(page)).toHaveAccessibleDescription(/did not authorize/)
  await submitPlan(page)
  await expect(bankFrame(page).getByRole('button', { name: 'Complete' })).toBeVisible()
  await button(page, 'Close').click()
  await expect(cardNumber(page)).toHaveAccessibleDescription(/You closed your bank’s page/)
  expect((await planOf(person))[0]).toBe('free')
  await submitPlan(page)
  await answerBank(page, 'Complete')
  await expect(page.getByText('You’re now on Scale')).toBeVisible()
  expect(await activeStatuses(person)).toEqual(['active'])
})

test('a running plan changes for the price of the provider; the current plan asks for no card', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/upgrade?plan=startup')
  await typeCard(page, newCardNumber())
  await submitPlan(page)
  await expect(page.getByText('You’re now on Startup')).toBeVisible()
  await page.goto('/account/upgrade')
  await expect(planRadio(page, 'scale')).toBeChecked()
  await expect(page.getByText('Due now')).toBeVisible()
  // The card on file pays when no other card is entered.
  await expect(cardNumber(page)).toHaveCount(0)
  await button(page, 'Use another card').click()
  await typeCard(page, newCardNumber())
  await button(page, /^(Pay|Change to Scale)/).click()
  await expect(page.getByText('You’re now on Scale')).toBeVisible()
  await page.getByRole('link', { name: 'Billing' }).first().click()
  await expectPath(page, '/account/billing')
  await expect(page.getByText('Current plan')).toBeVisible()
  expect((await planOf(person))[0]).toBe('scale')
  expect(await activeStatuses(person)).toHaveLength(1)
  await page.goto('/account/upgrade?plan=scale')
  await expect(page.getByText('You’re already on Scale')).toBeVisible()
  await expect(cardNumber(page)).toHaveCount(0)
})

test('[feature:translated] the upgrade on the smallest phone in German and dark mode', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await openAs(page, await createOnboardedPerson({ language: 'de' }), '/account/upgrade')
  await expect(page.getByRole('heading', { name: 'In einen anderen Tarif wechseln' })).toBeVisible()
  await expect(cardNumber(page).or(page.getByRole('textbox', { name: 'Kartennummer' }))).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(page, 'the upgrade on a phone')
})
