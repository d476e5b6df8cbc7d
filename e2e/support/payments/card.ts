import { randomInt } from 'node:crypto'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import type { Person } from '../people/people.ts'
import { sandboxUrl } from '../urls.ts'
import { button } from '../pages/steps.ts'
import { expect } from '../test.ts'
import { type Language, matchOneOf, planName, textsOf } from '../texts.ts'

export const cards = {
  valid: '4242424242424242',
  wrongNumber: '4242424242424241',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  asksBank: '4000002500003155',
  alwaysAsksBank: '4000002760003184',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  declinedOnCharge: '4000000000000341',
  asksBankThenInsufficientFunds: '4000008260003178',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  processingError: '4000000000000119',
}

/** A good number that nobody has had a trial with: one card gets one trial, whoever holds it. */
export function newCardNumber(): string {
  const digits = `4242${String(randomInt(10 ** 11)).padStart(11, '0')}`
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const weighed = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return digits + ((10 - (sum % 10)) % 10)
}

type PlanKey = 'free' | 'startup' | 'yearly' | 'scale'

/** The form that takes a plan and a card, as it is called in a language. */
export function cardForm(language: Language) {
  const t = textsOf(language)
  const cardNumber = (page: Page): Locator => page.getByRole('textbox', { name: t('billing.card.number') })
  const bankFrame = (page: Page): FrameLocator => page.frameLocator(`iframe[title="${t('billing.bank.frame')}"]`)
  const name = (plan: string) => planName(language, plan)
  const names: Record<PlanKey, RegExp> = {
    free: new RegExp(`^${name('free')}`),
    startup: new RegExp(`^${name('startup')} (${t('billing.change.current')}|\\d)`),
    yearly: new RegExp(`^${name('startup_yearly')}`),
    scale: new RegExp(`^${name('scale')}`),
  }
  const promise = matchOneOf(
    t('billing.button.trial_other'),
    t('billing.button.trial_one'),
    t('billing.button.pay'),
    t('billing.button.start'),
  )
  return {
    cardNumber,
    /** Typed like a person does it: each box leads on to the next. */
    async typeCard(page: Page, number: string, code = '123'): Promise<void> {
      await cardNumber(page).fill('')
      await cardNumber(page).pressSequentially(number)
      await page.getByRole('textbox', { name: t('billing.card.exp') }).fill('12 / 34')
      await page.getByRole('textbox', { name: t('billing.card.cvc') }).fill(code)
    },
    planRadio: (page: Page, plan: PlanKey): Locator => page.getByRole('radio', { name: names[plan] }),
    bankFrame,
    /** The bank of the sandbox speaks English to everybody. */
    answerBank: (page: Page, answer: 'Complete' | 'Fail'): Promise<void> =>
      bankFrame(page).getByRole('button', { name: answer }).click(),
    /** Whatever the button promises: a trial, a payment, or a plan that costs nothing for now. */
    submitPlan: (page: Page): Promise<void> => button(page, promise).click(),
  }
}

export const { cardNumber, typeCard, planRadio, bankFrame, answerBank, submitPlan } = cardForm('en')

/** A promotion code of its own, which takes a fifth off, once. */
export async function createPromotionCode(): Promise<string> {
  const coupon = await postToProvider('/v1/coupons', { percent_off: '20' })
  const made = await postToProvider('/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon.id,
  })
  return made.code
}

async function postToProvider(path: string, fields: Record<string, string>): Promise<{ id: string; code: string }> {
  const response = await fetch(sandboxUrl + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: new URLSearchParams(fields),
  })
  return (await response.json()) as { id: string; code: string } // as: the sandbox answers what it made in this shape
}

type Listed = { id: string; status: string; metadata: Record<string, string> }

export async function listFromProvider(path: string): Promise<Listed[]> {
  const response = await fetch(sandboxUrl + path, { headers: { authorization: 'Bearer sk_test_sandbox' } })
  const { data } = (await response.json()) as { data: Listed[] } // as: the sandbox answers lists in this shape
  return data
}

/** The payment provider's customers for a person's account: one, unless something went wrong. */
export async function listCustomers({ user }: Person): Promise<string[]> {
  const customers = await listFromProvider('/v1/customers?limit=100')
  return customers.filter(({ metadata }) => metadata.account_id === user.account_id).map(({ id }) => id)
}

/** What the payment provider holds for a person's account, ended subscriptions included. */
export async function listSubscriptionStatuses(person: Person): Promise<string[]> {
  const own = await listCustomers(person)
  const held = await Promise.all(own.map(id => listFromProvider(`/v1/subscriptions?customer=${id}&status=all`)))
  return held.flat().map(({ status }) => status)
}

/** No subscription that could still cost money is left behind. */
export async function expectNoOpenSubscription(person: Person): Promise<void> {
  const alive = async () =>
    (await listSubscriptionStatuses(person)).filter(status => status !== 'canceled' && status !== 'incomplete_expired')
  await expect.poll(alive).toEqual([])
}
