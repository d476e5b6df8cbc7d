import {
  answerBank,
  cardNumber,
  cards,
  expectNothingOwed,
  freshCard,
  planRadio,
  submitPlan,
  subscriptionsOf,
  typeCard,
} from './support/card.ts'
import { call, verified } from './support/people.ts'
import { expectAt, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const declined = 'Your card was declined. Try another one, or ask your bank.'

const refused = [
  { what: 'a declined card', plan: 'startup', card: cards.declined, says: declined, ends: 'trialing' },
  {
    what: 'a card that fails when charged',
    plan: 'scale',
    card: cards.declinedLater,
    says: declined,
    ends: 'active',
  },
] as const

for (const { what, plan, card, says, ends } of refused) {
  test(`[rule:form.server-field] [state:form.nothing-lost] ${what} is told at the card, costs nothing, and the next card works`, async ({
    page,
    watch,
  }) => {
    // The refusal is an answer of the payment provider or of the server.
    watch.allow(402, 422)
    const person = await verified()
    await openAs(page, person, `/signup/plan?id=${plan}`)
    await typeCard(page, card)
    await submitPlan(page)

    await expect(cardNumber(page)).toHaveAccessibleDescription(says)
    await expect(cardNumber(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(cardNumber(page)).toBeFocused()
    await expect(cardNumber(page)).toHaveValue(new RegExp(`${card.slice(-4)}$`))
    await expect(planRadio(page, plan)).toBeChecked()
    await expectNothingOwed(person)
    const session = await call<{ plan: string | null }>('GET', '/api/auth', { token: person.user.token })
    expect(session.data.plan).toBeNull()

    await typeCard(page, freshCard())
    await submitPlan(page)
    await expectAt(page, '/welcome')
    expect((await subscriptionsOf(person)).filter(status => status === ends)).toHaveLength(1)
  })
}

const noFunds = 'Your card has insufficient funds. Try another one.'

test('[rule:form.card.refused] each reason to refuse a card is told in its own words, one after the other, and a card with a code of four digits pays', async ({
  page,
  watch,
}) => {
  // Seven tries to pay, one after the other.
  test.slow()
  watch.allow(402, 422)
  const person = await verified()
  await openAs(page, person, '/signup/plan?id=scale')
  for (const [card, says] of [
    [cards.poor, noFunds],
    [cards.expired, 'Your card has expired. Try another one.'],
    [cards.wrongCode, 'The security code of your card is wrong'],
    [cards.stumbles, 'Your card could not be processed. Try again in a moment.'],
  ] as const) {
    await typeCard(page, card)
    await submitPlan(page)
    await expect(cardNumber(page)).toHaveAccessibleDescription(says)
  }
  await typeCard(page, cards.asksThenPoor)
  await submitPlan(page)
  await answerBank(page, 'Complete')
  await expect(cardNumber(page)).toHaveAccessibleDescription(noFunds)
  await expectNothingOwed(person)

  await typeCard(page, cards.amex, '1234')
  await expect(page.getByText('American Express', { exact: true })).toBeVisible()
  await submitPlan(page)
  await expectAt(page, '/welcome')
  expect((await subscriptionsOf(person)).filter(status => status === 'active')).toHaveLength(1)
})

test('[rule:form.card.refused] what is wrong with a card is told before anything is sent', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') asked.push(request.url())
  })
  await openAs(page, await verified(), '/signup/plan?id=startup')
  const number = cardNumber(page)
  for (const [digits, expiry, code, says] of [
    ['4242', '12 / 34', '123', 'The card number is incomplete'],
    ['4242424242424241', '12 / 34', '123', 'The card number is wrong. Check each digit.'],
    ['4242424242424242', '13 / 34', '123', 'The month of expiry is from 01 to 12'],
    ['4242424242424242', '12 / 20', '123', 'This card has expired. Use another one.'],
    ['4242424242424242', '12 / 34', '12', 'The security code has 3 digits, on the back of the card'],
  ] as const) {
    await number.fill(digits)
    await page.getByRole('textbox', { name: 'Expiry, month and year' }).fill(expiry)
    await page.getByRole('textbox', { name: 'Security code' }).fill(code)
    await submitPlan(page)
    await expect(number).toHaveAccessibleDescription(says)
  }
  expect(asked).toEqual([])
})
