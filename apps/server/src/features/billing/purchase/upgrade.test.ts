import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const made = await makeTestApp()
const { call, people, db, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { on, change, upgrade, cards, paid, standing, noted, attempts, openInvoices } = plansOf(made, payments)
const mastercard = '5555555555554444'
const asksAlways = '4000002760003184'

describe('with a new card to a paid plan [call:POST /api/account/upgrade]', () => {
  it('from nothing, and from free', async () => {
    for (const user of [await people.verified(), await people.owner()]) {
      const answer = await upgrade(user.token, { plan: 'scale', token: await payments.card() })
      expect(answer.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
      expect(await paid(user.account_id)).toEqual([4900])
    }
  })

  it('from another paid plan: the new card pays, and stays', async () => {
    const user = await on('scale')
    const token = await payments.card(mastercard)
    const answer = await upgrade(user.token, { plan: 'startup_yearly', token })
    expect(answer.data).toEqual({ plan: 'startup_yearly', subscription: 'active', pending_plan: null })
    expect(await cards(user.account_id)).toEqual(['4444'])
    expect((await standing(user.account_id)).default_payment_method).toBe(token)
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await noted(user.account_id)).toEqual([
      'plan.changed scale',
      'card.changed',
      'plan.changed startup_yearly',
    ])
    expect((await upgrade(user.token, { plan: 'startup_yearly', token })).data).toEqual(answer.data)
    expect(await attempts(user.account_id)).toHaveLength(1)
  })

  it('to the plan in force: the card is replaced, a planned end taken back', async () => {
    const user = await on('scale')
    await change(user.token, { plan: 'free' })
    const answer = await upgrade(user.token, { plan: 'scale', token: await payments.card(mastercard) })
    expect(answer.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
    expect(await cards(user.account_id)).toEqual(['4444'])
    expect(await paid(user.account_id)).toEqual([4900])
    const same = await upgrade(user.token, { plan: 'scale', token: await payments.card() })
    expect(same.status).toBe(200)
    expect(await noted(user.account_id)).toEqual([
      'plan.changed scale',
      'plan.end_planned scale',
      'card.changed',
      'plan.end_undone scale',
      'card.changed',
    ])
  })

  it.each([
    ['4000000000000341', 'card_declined'],
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'card_insufficient_funds'],
  ])('%s: %s; the old card and the old plan stay', async (number, code) => {
    const user = await on('scale')
    const before = (await standing(user.account_id)).default_payment_method
    const answer = await upgrade(user.token, { plan: 'startup_yearly', token: await payments.card(number) })
    expect(answer).toMatchObject({ status: 422, body: { code, inputError: 'token' } })
    expect(await standing(user.account_id)).toMatchObject({
      pending_update: null,
      default_payment_method: before,
    })
    expect(await cards(user.account_id)).toEqual(['4242'])
    expect(await openInvoices(user.account_id)).toEqual([])
    expect(await noted(user.account_id)).toEqual(['plan.changed scale'])
    expect((await billingRows(db, user.account_id)).account).toMatchObject({ plan: 'scale' })
  })

  it.each([
    [asksAlways, 'complete', null],
    [asksAlways, 'fail', 'payment_not_authorized'],
    ['4000008260003178', 'complete', 'card_insufficient_funds'],
  ] as const)('%s, answered with %s: %s', async (number, outcome, code) => {
    const user = await on('scale')
    const body = { plan: 'startup_yearly', token: await payments.card(number) }
    const asked = await upgrade(user.token, body)
    expect(asked.data).toMatchObject({ requires_payment_action: true, kind: 'payment' })
    const payment_intent = await payments.bank(String(asked.data.client_secret), outcome)
    const answer = await upgrade(user.token, { ...body, payment_intent })
    if (code) expect(answer.body).toMatchObject({ code, inputError: 'token' })
    else expect(answer.data).toMatchObject({ plan: 'startup_yearly' })
    expect(await cards(user.account_id)).toEqual([code ? '4242' : number.slice(-4)])
    expect(await paid(user.account_id)).toHaveLength(code ? 1 : 2)
  })

  it('where nothing is charged now, the bank is asked about the card itself', async () => {
    const user = await on('scale')
    const body = { plan: 'startup', token: await payments.card('4000002500003155') }
    const asked = await upgrade(user.token, body)
    expect(asked.data).toMatchObject({ requires_payment_action: true, kind: 'setup' })
    const setup_intent = await payments.bank(String(asked.data.client_secret), 'complete')
    const answer = await upgrade(user.token, { ...body, setup_intent })
    expect(answer.data).toMatchObject({ plan: 'startup', subscription: 'active' })
    expect(await cards(user.account_id)).toEqual(['3155'])
  })

  it('fifty at once are one card and one charge [T-61] [T-62]', async () => {
    const user = await on('scale')
    const body = { plan: 'startup_yearly', token: await payments.card(mastercard) }
    const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(user.token, body)))
    expect(answers.map(answer => answer.status)).toEqual(Array(50).fill(200))
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await cards(user.account_id)).toEqual(['4444'])
    expect(await attempts(user.account_id)).toHaveLength(1)
  })

  it('refuses free, no card, another customer’s card, and who is not an owner [T-61]', async () => {
    const user = await on('scale')
    const theirs = await on('scale')
    const foreign = (await standing(theirs.account_id)).default_payment_method
    const bad: [Record<string, unknown>, string, string][] = [
      [{ plan: 'free', token: 'pm_1' }, 'invalid_input', 'plan'],
      [{ plan: '../../x', token: 'pm_1' }, 'invalid_input', 'plan'],
      [{ plan: 'startup_yearly' }, 'card_required', 'token'],
      [{ plan: 'startup_yearly', token: 'pm_made_up' }, 'invalid_input', 'token'],
      [{ plan: 'startup_yearly', token: foreign }, 'invalid_input', 'token'],
      [{ plan: 'startup_yearly', token: 'pm_1', payment_intent: 'pi_1' }, 'invalid_input', 'payment_intent'],
      [{ plan: 'startup_yearly', token: 'pm_1', price: 1 }, 'unknown_field', 'price'],
    ]
    for (const [body, code, field] of bad)
      expect(await upgrade(user.token, body), JSON.stringify(body)).toMatchObject({
        status: 422,
        body: { code, inputError: field },
      })
    expect(await cards(user.account_id)).toEqual(['4242'])
    for (const role of ['admin', 'developer', 'user'] as const) {
      const other = await people.member(user, role)
      expect((await upgrade(other.token, { plan: 'startup_yearly', token: 'pm_1' })).status).toBe(403)
    }
    expect((await call('POST', '/api/account/upgrade', { body: { plan: 'scale' } })).status).toBe(401)
    expect(await paid(user.account_id)).toEqual([4900])
  })
})
