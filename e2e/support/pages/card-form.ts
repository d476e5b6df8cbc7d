import type { FrameLocator, Locator, Page } from '@playwright/test'
import { type Language, matchOneOf, planName, textsOf } from '../texts.ts'
import { button } from './elements.ts'

type PlanKey = 'free' | 'startup' | 'yearly' | 'scale'

/** The form for a plan and a card, in the texts of a language. */
export function cardForm(language: Language) {
  const t = textsOf(language)
  const cardNumber = (page: Page): Locator => page.getByRole('textbox', { name: t('billing.card.number') })
  const bankFrame = (page: Page): FrameLocator =>
    page.frameLocator(`iframe[title="${t('billing.bank.frame')}"]`)
  const name = (plan: string) => planName(language, plan)
  const names: Record<PlanKey, RegExp> = {
    free: new RegExp(`^${name('free')}`),
    startup: new RegExp(`^${name('startup')} (${t('billing.change.current')}|\\d)`),
    yearly: new RegExp(`^${name('startup_yearly')}`),
    scale: new RegExp(`^${name('scale')}`),
  }
  const submitText = matchOneOf(
    t('billing.button.trial_other'),
    t('billing.button.trial_one'),
    t('billing.button.pay'),
    t('billing.button.start'),
  )
  return {
    cardNumber,
    /** Types the number digit by digit, because the form moves the focus when it is complete. */
    async typeCard(page: Page, number: string, code = '123'): Promise<void> {
      await cardNumber(page).fill('')
      await cardNumber(page).pressSequentially(number)
      await page.getByRole('textbox', { name: t('billing.card.exp') }).fill('12 / 34')
      await page.getByRole('textbox', { name: t('billing.card.cvc') }).fill(code)
    },
    planRadio: (page: Page, plan: PlanKey): Locator => page.getByRole('radio', { name: names[plan] }),
    bankFrame,
    /** The bank page of the sandbox exists in English only. */
    answerBank: (page: Page, answer: 'Complete' | 'Fail'): Promise<void> =>
      bankFrame(page).getByRole('button', { name: answer }).click(),
    submitPlan: (page: Page): Promise<void> => button(page, submitText).click(),
  }
}

export const { cardNumber, typeCard, planRadio, bankFrame, answerBank, submitPlan } = cardForm('en')
