import { beforeEach, expect, test } from 'vitest'
import { withTexts } from '../../../test/app.tsx'
import { priceList } from '../../../test/plans.ts'
import { t } from '../../lib/i18n/translate.ts'
import { periodEnd } from './PlanSummary.tsx'
import { chooseText, type Plan, planOptions } from './plan-texts.ts'

const plans = priceList().plans as unknown as Plan[] // as: the fixture's texts are wider than the contract's ids
const plan = (id: string, list = plans) => list.find(one => one.id === id)

beforeEach(() => withTexts('en', ['global', 'billing']))

test('the cards say price, period and what a plan holds', () => {
  expect(planOptions(plans, t).map(({ help, price, priceNote }) => [price, priceNote, help])).toEqual([
    ['$0', 'for ever', '3 users, 1 API key'],
    ['$12', 'per seat a month', '20 users, 10 keys'],
    ['$120', 'per seat a year', '2 months less to pay'],
    ['$49', 'a month + usage', 'No user limit, 100 keys'],
  ])
})

test('in German, by the rules of German', async () => {
  await withTexts('de', ['global', 'billing'])
  const [, startup] = planOptions(plans, t)
  expect(startup).toMatchObject({ price: '12\u00a0$', help: '20 Personen, 10 Schlüssel' })
})

test.each([
  [undefined, 1, 'Choose a plan'],
  ['free', 1, 'Choose free'],
  ['startup', 1, 'Start 14-day trial'],
  ['startup_yearly', 3, 'Pay $360.00'],
  ['scale', 3, 'Pay $49.00'],
])('the button for %s with %i seats says %s', (id, seats, words) => {
  expect(chooseText(id ? plan(id) : undefined, seats, t)).toBe(words)
})

test('a trial that was had is paid at once', () => {
  const had = priceList({ trial: false }).plans as unknown as Plan[] // as: see above
  expect(chooseText(plan('startup', had), 2, t)).toBe('Pay $24.00')
})

test('a month after the 31st is the last day of a shorter month', () => {
  expect(periodEnd({ interval: 'month' }, new Date(2027, 0, 31)).toDateString()).toBe('Sun Feb 28 2027')
  expect(periodEnd({ interval: 'year' }, new Date(2028, 1, 29)).toDateString()).toBe('Wed Feb 28 2029')
})
