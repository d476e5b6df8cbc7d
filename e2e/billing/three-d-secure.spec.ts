import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import {
  answerBank,
  bankFrame,
  cardForm,
  cardNumber,
  planRadio,
  submitPlan,
  typeCard,
} from '../support/pages/card-form.ts'
import { button } from '../support/pages/elements.ts'
import { expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { cards } from '../support/payments/cards.ts'
import { expectNoOpenSubscription, listSubscriptionStatuses } from '../support/payments/payment-provider.ts'
import { createVerifiedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { languageViewports, textsOf } from '../support/texts.ts'

const refused = 'Your bank did not authorize the payment. Try again, or use another card.'
const closed = 'You closed your bank’s page, so nothing was charged. Try again, or use another card.'

test.beforeEach(({ consoleGuard }) => {
  // The server answers a declined payment with these statuses.
  consoleGuard.allowStatus(402, 422)
})

/** axe messages every frame; the bank's frame has another origin and does not receive it. */
const axeUnheard = /^Failed to execute 'postMessage' on 'DOMWindow'/
/** Each card gets one trial. */
const trials = { en: cards.asksBank, de: cards.alwaysAsksBank }

for (const { language, where, use } of languageViewports) {
  const t = textsOf(language)
  const form = cardForm(language)

  test.describe(where, () => {
    test.use(use)

    test('[rule:form.card.action] [rule:form.card.token] [error:card.confirmation] [state:form.nothing-lost] a trial whose 3-D Secure fails, is closed, and then succeeds owes nothing and loses no input', async ({
      page,
      consoleGuard,
    }) => {
      consoleGuard.allowMessage(axeUnheard)
      const person = await createVerifiedPerson({ language })
      await openAs(page, person, '/signup/plan?id=startup')
      await form.typeCard(page, trials[language])
      await form.submitPlan(page)
      const dialog = page.getByRole('dialog', { name: t('billing.bank.title') })
      const fail = form.bankFrame(page).getByRole('button', { name: 'Fail' })
      // The frame is as high as the bank's page, so that its last button is visible.
      await expect(fail).toBeInViewport({ ratio: 1 })
      await expectAccessible(page, 'the bank’s page')
      await expectNoSidewaysScroll(page)
      await fail.click()
      const number = form.cardNumber(page)
      await expect(number).toHaveAccessibleDescription(t('billing.card.not_authorized'))
      await expect(dialog).toBeHidden()

      await form.submitPlan(page)
      await expect(fail).toBeVisible()
      await dialog.getByRole('button', { name: t('global.close') }).click()
      await expect(number).toHaveAccessibleDescription(t('billing.card.bank_canceled'))
      await expect(number).toHaveValue(new RegExp(`${trials[language].slice(-4)}$`))
      await expect(form.planRadio(page, 'startup')).toBeChecked()
      await expectNoOpenSubscription(person)

      await form.submitPlan(page)
      await form.answerBank(page, 'Complete')
      await expectPath(page, '/welcome')
      expect((await listSubscriptionStatuses(person)).filter(one => one === 'trialing')).toHaveLength(1)
    })
  })
}

test('[rule:form.card.action] [screen:plan.to-welcome] a charge succeeds after 3-D Secure even when the bank’s page loads slowly', async ({
  page,
}) => {
  const person = await createVerifiedPerson()
  const script = Promise.withResolvers<void>()
  await page.route('**/three-d-secure.js', async route => {
    await script.promise
    await route.continue()
  })
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asksBank)
  await submitPlan(page)
  const complete = bankFrame(page).getByRole('button', { name: 'Complete' })
  // A click before the page has its listeners would be lost.
  await expect(complete).toBeDisabled()
  script.resolve()
  await complete.click()
  await expectPath(page, '/welcome')
  expect(await listSubscriptionStatuses(person)).toEqual(['active'])
})

test('[error:card.confirmation] a charge that fails 3-D Secure leaves no subscription, and another card works', async ({
  page,
}) => {
  const person = await createVerifiedPerson()
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asksBank)
  await submitPlan(page)
  await answerBank(page, 'Fail')
  await expect(cardNumber(page)).toHaveAccessibleDescription(refused)
  await expectNoOpenSubscription(person)

  await typeCard(page, cards.valid)
  await submitPlan(page)
  await expectPath(page, '/welcome')
  expect((await listSubscriptionStatuses(person)).filter(one => one === 'active')).toHaveLength(1)
})

test('[state:form.nothing-lost] Escape closes the bank’s page; free can still be chosen and no subscription is left', async ({
  page,
}) => {
  const person = await createVerifiedPerson()
  await openAs(page, person, '/signup/plan?id=scale')
  await typeCard(page, cards.asksBank)
  await submitPlan(page)
  await expect(bankFrame(page).getByRole('heading', { name: 'Confirm it is you' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(cardNumber(page)).toHaveAccessibleDescription(closed)
  await expect(cardNumber(page)).toHaveValue('4000 0025 0000 3155')

  await planRadio(page, 'free').check()
  await button(page, 'Choose free').click()
  await expectPath(page, '/welcome')
  await expectNoOpenSubscription(person)
})
