import {
  answerBank,
  bank,
  cardNumber,
  cards,
  expectNothingOwed,
  planRadio,
  submitPlan,
  subscriptionsOf,
  typeCard,
} from './support/card.ts'
import { verified } from './support/people.ts'
import { button, expectAt, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const refused = 'Your bank did not authorize the payment. Try again, or use another card.'
const closed = 'You closed your bank’s page, so nothing was charged. Try again, or use another card.'

test.beforeEach(({ watch }) => {
  // A refusal by the bank is an answer.
  watch.allow(402, 422)
})

test('[rule:form.card.action] [rule:form.card.token] [error:card.confirmation] [state:form.nothing-lost] a trial: the bank refuses, nothing is owed or lost, then it agrees', async ({
  page,
}) => {
  const person = await verified()
  await openAs(page, person, '/signup/plan?id=startup')
  await typeCard(page, cards.asks)
  await submitPlan(page)
  await expect(page.getByRole('dialog', { name: 'Confirm with your bank' })).toBeVisible()
  await answerBank(page, 'Fail')
  await expect(cardNumber(page)).toHaveAccessibleDescription(refused)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(cardNumber(page)).toHaveValue('4000 0025 0000 3155')
  await expect(planRadio(page, 'startup')).toBeChecked()
  await expectNothingOwed(person)

  await submitPlan(page)
  await answerBank(page, 'Complete')
  await expectAt(page, '/welcome')
  expect((await subscriptionsOf(person)).filter(one => one === 'trialing')).toHaveLength(1)
})

test('[rule:form.card.action] [screen:plan.to-welcome] a charge goes through once the bank agrees, however slowly its page loads', async ({
  page,
}) => {
  const person = await verified()
  const script = Promise.withResolvers<void>()
  await page.route('**/three-d-secure.js', async route => {
    await script.promise
    await route.continue()
  })
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asks)
  await submitPlan(page)
  const complete = bank(page).getByRole('button', { name: 'Complete' })
  // A click before the page can hear it would be lost, and the person would wait for ever.
  await expect(complete).toBeDisabled()
  script.resolve()
  await complete.click()
  await expectAt(page, '/welcome')
  expect(await subscriptionsOf(person)).toEqual(['active'])
})

test('[error:card.confirmation] a charge the bank refuses leaves nothing behind, and another card works', async ({
  page,
}) => {
  const person = await verified()
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asks)
  await submitPlan(page)
  await answerBank(page, 'Fail')
  await expect(cardNumber(page)).toHaveAccessibleDescription(refused)
  await expectNothingOwed(person)

  await typeCard(page, cards.good)
  await submitPlan(page)
  await expectAt(page, '/welcome')
  expect((await subscriptionsOf(person)).filter(one => one === 'active')).toHaveLength(1)
})

test('[state:form.nothing-lost] Escape leaves the bank’s page; free can still be chosen and nothing is left behind', async ({
  page,
}) => {
  const person = await verified()
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asks)
  await submitPlan(page)
  await expect(bank(page).getByRole('heading', { name: 'Confirm it is you' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(cardNumber(page)).toHaveAccessibleDescription(closed)
  await expect(cardNumber(page)).toHaveValue('4000 0025 0000 3155')

  await planRadio(page, 'free').check()
  await button(page, 'Choose free').click()
  await expectAt(page, '/welcome')
  await expectNothingOwed(person)
})
