import { beforeEach, expect, test } from 'vitest'
import { withTexts } from '../../../../test/app.tsx'
import { firstPreview, priceList } from '../../../../test/plans.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { type Plan, payText, planOptions } from './plan-texts.ts'
import type { PlanPrice } from './use-price.ts'

const plans = priceList().plans as unknown as Plan[] // as: the fixture's texts are wider than the contract's ids
const plan = (id: string, list = plans) => list.find(one => one.id === id)

const priced = (id: string, more: object) =>
  ({ preview: { data: firstPreview(id, more) } }) as unknown as PlanPrice // as: payText reads only the preview

beforeEach(() => withTexts('en', ['global', 'billing']))

test('plan options show price, billing period and limits', () => {
  expect(planOptions(plans, t).map(({ help, price, priceNote }) => [price, priceNote, help])).toEqual([
    ['$0', 'forever', '3 users, 1 API key, 1,000 events per month'],
    ['$12', 'per seat / month', '14-day free trial. 20 users, 10 API keys, 100,000 events per month'],
    ['$120', 'per seat / year', '2 months free. 20 users, 10 API keys, 100,000 events per month'],
    [
      '$49',
      'per month + usage',
      'Unlimited users, 100 API keys, 10,000 events per month included, then $0.002 each',
    ],
  ])
})

test('formats plan options in German', async () => {
  await withTexts('de', ['global', 'billing'])
  const [, startup] = planOptions(plans, t)
  expect(startup).toMatchObject({
    price: '12\u00a0$',
    help: '14 Tage kostenlos testen. 20 Benutzer, 10 API-Schlüssel und 100.000 Ereignisse pro Monat',
  })
})

test.each([
  [undefined, 1, 'Choose a plan'],
  ['free', 1, 'Choose free'],
  ['startup', 1, 'Start 14-day trial'],
  ['startup_yearly', 3, 'Pay $360.00'],
  ['scale', 3, 'Pay $49.00'],
])('the button for %s with %i seats reads %s', (id, seats, words) => {
  expect(payText(id ? plan(id) : undefined, priced(id ?? '', { seats }), t)).toBe(words)
})

test('without a remaining trial, the button asks for payment', () => {
  const had = priceList({ trial: false }).plans as unknown as Plan[] // as: see above
  expect(payText(plan('startup', had), priced('startup', { trial: false, seats: 2 }), t)).toBe('Pay $24.00')
})

test('returns no button text before the price is known', () => {
  const unknown = { preview: { data: undefined } } as unknown as PlanPrice // as: see above
  expect(payText(plan('scale'), unknown, t)).toBeUndefined()
})
