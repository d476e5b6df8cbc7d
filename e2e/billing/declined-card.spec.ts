import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { cardForm, cardNumber, planRadio, submitPlan, typeCard } from '../support/pages/card-form.ts'
import { expectNoSidewaysScroll, expectPath } from '../support/pages/expectations.ts'
import { cards, newCardNumber } from '../support/payments/cards.ts'
import { expectNoOpenSubscription, listSubscriptionStatuses } from '../support/payments/payment-provider.ts'
import { createVerifiedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { languageViewports, textsOf } from '../support/texts.ts'

const declined = 'Your card was declined. Try another one, or ask your bank.'

const declinedCards = [
  { what: 'a declined card', plan: 'startup', card: cards.declined, says: declined, ends: 'trialing' },
  {
    what: 'a card that fails when charged',
    plan: 'scale',
    card: cards.declinedOnCharge,
    says: declined,
    ends: 'active',
  },
] as const

for (const { what, plan, card, says, ends } of declinedCards) {
  test(`[rule:form.server-field] [state:form.nothing-lost] ${what} shows an error at the card, charges nothing, and the next card works`, async ({
    page,
    consoleGuard,
  }) => {
    // The payment provider or the server declines the card.
    consoleGuard.allowStatus(402, 422)
    const person = await createVerifiedPerson()
    await openAs(page, person, `/signup/plan?id=${plan}`)
    await typeCard(page, card)
    await submitPlan(page)

    await expect(cardNumber(page)).toHaveAccessibleDescription(says)
    await expect(cardNumber(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(cardNumber(page)).toBeFocused()
    await expect(cardNumber(page)).toHaveValue(new RegExp(`${card.slice(-4)}$`))
    await expect(planRadio(page, plan)).toBeChecked()
    await expectNoOpenSubscription(person)
    const session = await callApi<{ plan: string | null }>('GET', '/api/auth', { token: person.user.token })
    expect(session.data.plan).toBeNull()

    await typeCard(page, newCardNumber())
    await submitPlan(page)
    await expectPath(page, '/welcome')
    expect((await listSubscriptionStatuses(person)).filter(status => status === ends)).toHaveLength(1)
  })
}

/** In an order in which no message repeats the one before it. */
const reasons = [
  [cards.wrongNumber, 'number_wrong'],
  [cards.declined, 'declined'],
  [cards.insufficientFunds, 'insufficient_funds'],
  [cards.declinedOnCharge, 'declined'],
  [cards.expired, 'expired'],
  [cards.wrongCode, 'cvc_wrong'],
  [cards.processingError, 'processing'],
] as const

for (const { language, where, use } of languageViewports) {
  const t = textsOf(language)
  const form = cardForm(language)

  test.describe(where, () => {
    test.use(use)

    test('[rule:form.card.refused] each decline reason has its own message, and a card with a four-digit code pays', async ({
      page,
      consoleGuard,
    }) => {
      // Ten payments, one after the other.
      test.slow()
      consoleGuard.allowStatus(402, 422)
      const person = await createVerifiedPerson({ language })
      await openAs(page, person, '/signup/plan?id=scale')
      const number = form.cardNumber(page)
      for (const [card, reason] of reasons) {
        await form.typeCard(page, card)
        await form.submitPlan(page)
        await expect(number).toHaveAccessibleDescription(t(`billing.card.${reason}`))
        await expect(number).toHaveValue(new RegExp(`${card.slice(-4)}$`))
      }
      await expectAccessible(page, 'a refused card')
      await expectNoSidewaysScroll(page)
      await form.typeCard(page, cards.asksBank)
      await form.submitPlan(page)
      await form.answerBank(page, 'Fail')
      await expect(number).toHaveAccessibleDescription(t('billing.card.not_authorized'))
      await form.typeCard(page, cards.asksBankThenInsufficientFunds)
      await form.submitPlan(page)
      await form.answerBank(page, 'Complete')
      await expect(number).toHaveAccessibleDescription(t('billing.card.insufficient_funds'))
      await expect(form.planRadio(page, 'scale')).toBeChecked()
      await expectNoOpenSubscription(person)

      await form.typeCard(page, cards.amex, '1234')
      await expect(page.getByText('American Express', { exact: true })).toBeVisible()
      await form.submitPlan(page)
      await expectPath(page, '/welcome')
      expect((await listSubscriptionStatuses(person)).filter(status => status === 'active')).toHaveLength(1)
    })
  })
}

test('[rule:form.card.refused] invalid card fields are reported before a request is sent', async ({
  page,
}) => {
  const posts: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posts.push(request.url())
  })
  await openAs(page, await createVerifiedPerson(), '/signup/plan?id=startup')
  const number = cardNumber(page)
  for (const [digits, expiry, code, says] of [
    ['4242', '12 / 34', '123', 'The card number is incomplete'],
    ['4242424242424241', '12 / 34', '123', 'The card number is wrong. Check each digit.'],
    ['4242424242424242', '13 / 34', '123', 'The expiry month must be between 01 and 12'],
    ['4242424242424242', '12 / 20', '123', 'This card has expired. Use another one.'],
    ['4242424242424242', '12 / 34', '12', 'The security code has 3 digits, on the back of the card'],
  ] as const) {
    await number.fill(digits)
    await page.getByRole('textbox', { name: 'Expiry, month and year' }).fill(expiry)
    await page.getByRole('textbox', { name: 'Security code' }).fill(code)
    await submitPlan(page)
    await expect(number).toHaveAccessibleDescription(says)
  }
  expect(posts).toEqual([])
})
