import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { cardNumber, planRadio, submitPlan, typeCard } from '../support/pages/card-form.ts'
import { button, heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { createPromotionCode, listSubscriptionStatuses } from '../support/payments/payment-provider.ts'
import { createVerifiedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[feature:sign-up.paid] [route:/signup/plan?id=] [state:plan.to-paid] Startup is preselected by the address and starts its trial with a card', async ({
  page,
}) => {
  const person = await createVerifiedPerson()
  await openAs(page, person, '/signup/plan?id=startup')
  await expect(planRadio(page, 'startup')).toBeChecked()
  await expect(button(page, 'Start 14-day trial')).toBeVisible()
  await expect(page.getByText(/^1 seat, monthly from .+$/)).toBeVisible()
  await expect(page.getByRole('definition')).toHaveText(['$0.00', '$12.00'])
  await typeCard(page, cards.valid)
  await expect(page.getByText('Visa', { exact: true })).toBeVisible()
  await submitPlan(page)

  await expectPath(page, '/welcome')
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  expect(await listSubscriptionStatuses(person)).toEqual(['trialing'])
  const mail = await waitForMail(person.email, person.lastMail)
  expect(mail.subject).toBe('Your plan is now Startup')
})

test('[screen:plan.to-dashboard] [entity:plan.label] Scale is charged at once with a promotion code; an onboarded person gets the dashboard', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const person = await createVerifiedPerson({ onboarded: true })
  await openAs(page, person, '/signup/plan')
  await expect(button(page, 'Choose a plan')).toBeVisible()
  await planRadio(page, 'scale').check()
  await expectPath(page, '/signup/plan')
  await expect(page).toHaveURL(/id=scale/)
  await typeCard(page, cards.valid)
  await button(page, 'Have a code?').click()
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await expect(code).toBeFocused()
  await code.fill('NO-SUCH-CODE')
  await button(page, 'Apply').click()
  await expect(code).toHaveAccessibleDescription(/^This code doesn’t exist/)
  await expect(button(page, 'Pay $49.00')).toBeVisible()
  await code.fill(await createPromotionCode())
  await code.press('Enter')
  await expect(page.getByRole('definition').filter({ hasText: '−$9.80' })).toBeVisible()
  await expectAccessible(page, 'a plan with a code')
  await button(page, 'Pay $39.20').click()

  await expectPath(page, '/dashboard')
  expect(await listSubscriptionStatuses(person)).toEqual(['active'])
})

test('[rule:required.plan] [rule:required.card] [rule:card.empty] a missing plan or card shows an error in its place; changing the plan keeps the card', async ({
  page,
}) => {
  await openAs(page, await createVerifiedPerson(), '/signup/plan')
  await button(page, 'Choose a plan').click()
  await expect(page.getByRole('group', { name: 'Plan' })).toContainText('Choose a plan')
  await planRadio(page, 'startup').check()
  await submitPlan(page)
  await expect(cardNumber(page)).toHaveAccessibleDescription('Enter a card')
  await typeCard(page, cards.valid)
  await planRadio(page, 'scale').check()
  await expect(cardNumber(page)).toHaveValue('4242 4242 4242 4242')
  await page.reload()
  await expect(planRadio(page, 'scale')).toBeChecked()
})

test('[rule:form.server-field] a card that already had a trial shows a message and pays from the first day', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const card = newCardNumber()
  const first = await createVerifiedPerson()
  await openAs(page, first, '/signup/plan?id=startup')
  await typeCard(page, card)
  await submitPlan(page)
  await expectPath(page, '/welcome')

  const second = await createVerifiedPerson()
  await openAs(page, second, '/signup/plan?id=startup')
  await typeCard(page, card)
  await submitPlan(page)
  await expect(cardNumber(page)).toHaveAccessibleDescription(/already been used for a free trial/)
  await button(page, 'Pay $12.00').click()
  await expectPath(page, '/welcome')
  expect((await listSubscriptionStatuses(second)).filter(status => status === 'active')).toHaveLength(1)
})
