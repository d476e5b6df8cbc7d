import { expectAccessible } from './support/axe.ts'
import {
  cardNumber,
  cards,
  freshCard,
  planRadio,
  promotionCode,
  submitPlan,
  subscriptionsOf,
  typeCard,
} from './support/card.ts'
import { waitForMail } from './support/mail.ts'
import { verified } from './support/people.ts'
import { button, expectAt, heading, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

test('[feature:sign-up.paid] [route:/signup/plan?id=] [state:plan.to-paid] startup, preselected by the address, starts its trial with a card', async ({
  page,
}) => {
  const person = await verified()
  await openAs(page, person, '/signup/plan?id=startup')
  await expect(planRadio(page, 'startup')).toBeChecked()
  await expect(button(page, 'Start 14-day trial')).toBeVisible()
  await expect(page.getByText(/^1 seat, monthly from .+$/)).toBeVisible()
  await expect(page.getByRole('definition')).toHaveText(['$0.00', '$12.00'])
  await typeCard(page, cards.good)
  await expect(page.getByText('Visa', { exact: true })).toBeVisible()
  await submitPlan(page)

  await expectAt(page, '/welcome')
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  expect(await subscriptionsOf(person)).toEqual(['trialing'])
  const mail = await waitForMail(person.email, person.lastMail)
  expect(mail.subject).toBe('Your plan is now Startup')
})

test('[screen:plan.to-dashboard] [entity:plan.label] scale is charged at once, less what a code takes off; who is onboarded already goes to the dashboard', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await verified({ onboarded: true })
  await openAs(page, person, '/signup/plan')
  await expect(button(page, 'Choose a plan')).toBeVisible()
  await planRadio(page, 'scale').check()
  await expectAt(page, '/signup/plan')
  await expect(page).toHaveURL(/id=scale/)
  await typeCard(page, cards.good)
  await button(page, 'Have a code?').click()
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await expect(code).toBeFocused()
  await code.fill('NO-SUCH-CODE')
  await button(page, 'Apply').click()
  await expect(code).toHaveAccessibleDescription(/^This code doesn’t exist/)
  await expect(button(page, 'Pay $49.00')).toBeVisible()
  await code.fill(await promotionCode())
  await code.press('Enter')
  await expect(page.getByRole('definition').filter({ hasText: '−$9.80' })).toBeVisible()
  await expectAccessible(page, 'a plan with a code')
  await button(page, 'Pay $39.20').click()

  await expectAt(page, '/dashboard')
  expect(await subscriptionsOf(person)).toEqual(['active'])
})

test('[rule:required.plan] [rule:required.card] [rule:card.empty] no plan and no card are told in their places, and changing the plan keeps the card', async ({
  page,
}) => {
  await openAs(page, await verified(), '/signup/plan')
  await button(page, 'Choose a plan').click()
  await expect(page.getByRole('group', { name: 'Plan' })).toContainText('Choose a plan')
  await planRadio(page, 'startup').check()
  await submitPlan(page)
  await expect(cardNumber(page)).toHaveAccessibleDescription('Enter a card')
  await typeCard(page, cards.good)
  await planRadio(page, 'scale').check()
  await expect(cardNumber(page)).toHaveValue('4242 4242 4242 4242')
  await page.reload()
  await expect(planRadio(page, 'scale')).toBeChecked()
})

test('[rule:form.server-field] a card that had its trial is told so, and pays from the first day', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const card = freshCard()
  const first = await verified()
  await openAs(page, first, '/signup/plan?id=startup')
  await typeCard(page, card)
  await submitPlan(page)
  await expectAt(page, '/welcome')

  const second = await verified()
  await openAs(page, second, '/signup/plan?id=startup')
  await typeCard(page, card)
  await submitPlan(page)
  await expect(cardNumber(page)).toHaveAccessibleDescription(/already been used for a free trial/)
  await button(page, 'Pay $12.00').click()
  await expectAt(page, '/welcome')
  expect((await subscriptionsOf(second)).filter(status => status === 'active')).toHaveLength(1)
})
