import { describe, expect, it } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

// A separate sandbox, because its clock is moved.
const payments = await ownSandbox()
const made = await makeTestApp(payments.env)
const { call, people, db, services } = made
const { on, change, replace, cards, standing, noted, subscription, openInvoices, paid, attempts } = plansOf(
  made,
  payments,
)
const mastercard = '5555555555554444'
const asksAlways = '4000002760003184'

describe('replacing the card [call:PATCH /api/account/card] [entity:card]', () => {
  it('charges the new card, detaches the old one, and mails the owner', async () => {
    const user = await on('scale')
    const token = await payments.card(mastercard)
    const answer = await replace(user.token, { token })
    const exp_year = new Date().getUTCFullYear() + 3
    expect(answer.data).toEqual({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year })
    expect(await cards(user.account_id)).toEqual(['4444'])
    expect((await standing(user.account_id)).default_payment_method).toBe(token)
    expect((await call('GET', '/api/account/card', { token: user.token })).data).toEqual(answer.data)
    await expectMail(made, user.email, 'Your card was replaced')
    expect((await replace(user.token, { token })).data).toEqual(answer.data)
    expect(await noted(user.account_id)).toEqual(['plan.changed scale', 'card.changed'])
  })

  it.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'card_insufficient_funds'],
    ['4000000000000069', 'card_expired'],
    ['4000000000000127', 'card_cvc_wrong'],
    ['4000000000000119', 'card_processing_error'],
  ])('%s: refused with %s, and the old card stays', async (number, code) => {
    const user = await on('scale')
    const before = (await standing(user.account_id)).default_payment_method
    const answer = await replace(user.token, { token: await payments.card(number) })
    expect(answer).toMatchObject({ status: 422, body: { code, inputError: 'token' } })
    expect(await cards(user.account_id)).toEqual(['4242'])
    expect((await standing(user.account_id)).default_payment_method).toBe(before)
    expect(await noted(user.account_id)).toEqual(['plan.changed scale'])
  })

  it.each(['4000002500003155', asksAlways])('%s: the bank is asked first', async number => {
    const user = await on('scale')
    const token = await payments.card(number)
    const asked = await replace(user.token, { token })
    expect(asked.data).toMatchObject({ requires_payment_action: true, kind: 'setup' })
    expect((await standing(user.account_id)).default_payment_method).not.toBe(token)
    const setup_intent = await payments.bank(String(asked.data.client_secret), 'complete')
    const answer = await replace(user.token, { token, setup_intent })
    expect(answer.data).toMatchObject({ last4: number.slice(-4) })
    expect(await cards(user.account_id)).toEqual([number.slice(-4)])
    expect((await replace(user.token, { token, setup_intent })).data).toEqual(answer.data)
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
  })

  it('the bank refuses: the old card stays and the new one is detached', async () => {
    const user = await on('scale')
    const token = await payments.card(asksAlways)
    const asked = await replace(user.token, { token })
    const setup_intent = await payments.bank(String(asked.data.client_secret), 'fail')
    for (const answer of [await replace(user.token, { token, setup_intent })])
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'payment_not_authorized', inputError: 'token' },
      })
    expect(await cards(user.account_id)).toEqual(['4242'])
  })

  it('another card given while the bank waits for the first one is charged', async () => {
    const user = await on('scale')
    await replace(user.token, { token: await payments.card(asksAlways) })
    const answer = await replace(user.token, { token: await payments.card(mastercard) })
    expect(answer.data).toMatchObject({ last4: '4444' })
    expect(await cards(user.account_id)).toEqual(['4444'])
  })

  it('fifty equal calls at once save one card [T-62]', async () => {
    const user = await on('scale')
    const token = await payments.card(mastercard)
    const answers = await Promise.all(Array.from({ length: 50 }, () => replace(user.token, { token })))
    expect(answers.map(answer => answer.status)).toEqual(Array(50).fill(200))
    expect(await noted(user.account_id)).toEqual(['plan.changed scale', 'card.changed'])
    expect(await attempts(user.account_id)).toHaveLength(1)
  })

  it('works without a subscription when there is a customer', async () => {
    const user = await on('scale')
    await payments.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    await sync(services, user.account_id, user.subscription)
    expect((await replace(user.token, { token: await payments.card(mastercard) })).data).toMatchObject({
      last4: '4444',
    })
  })

  it('the subscription ends while the bank is asked: the card becomes the customer’s', async () => {
    const user = await on('scale')
    const token = await payments.card(asksAlways)
    const asked = await replace(user.token, { token })
    await payments.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    const setup_intent = await payments.bank(String(asked.data.client_secret), 'complete')
    expect((await replace(user.token, { token, setup_intent })).data).toMatchObject({ last4: '3184' })
    expect(await cards(user.account_id)).toEqual(['3184'])
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
  })
})

describe('invalid input and forbidden callers [call:PATCH /api/account/card]', () => {
  it('invalid input is refused at its field [T-61]', async () => {
    const user = await on('scale')
    const theirs = await on('scale')
    const foreign = (await standing(theirs.account_id)).default_payment_method
    const bad: [Record<string, unknown>, string, string][] = [
      [{}, 'card_required', 'token'],
      [{ token: null }, 'card_required', 'token'],
      [{ token: 7 }, 'invalid_input', 'token'],
      [{ token: 'pm_made_up' }, 'invalid_input', 'token'],
      [{ token: foreign }, 'invalid_input', 'token'],
      [{ token: 'pm_1', setup_intent: 'seti_made_up' }, 'invalid_input', 'setup_intent'],
      [{ token: 'pm_1', customer: 'cus_1' }, 'unknown_field', 'customer'],
    ]
    for (const [body, code, field] of bad)
      expect(await replace(user.token, body), JSON.stringify(body)).toMatchObject({
        status: 422,
        body: { code, inputError: field },
      })
    expect(await cards(user.account_id)).toEqual(['4242'])
    expect(await cards(theirs.account_id)).toEqual(['4242'])
  })

  it('only owners may call it, and only for an account that has paid', async () => {
    const owner = await people.owner()
    const token = await payments.card()
    for (const role of ['admin', 'developer', 'user'] as const) {
      const other = await people.member(owner, role)
      expect((await replace(other.token, { token })).status).toBe(403)
    }
    expect((await call('PATCH', '/api/account/card', { body: { token } })).status).toBe(401)
    expect(await replace(owner.token, { token })).toMatchObject({
      status: 409,
      body: { code: 'card_unneeded', inputError: 'token' },
    })
  })
})

// Last, because it moves the sandbox's clock.
describe('an unpaid invoice', () => {
  /** An account whose trial ended with a card that is declined. */
  async function due() {
    const user = await on('startup', freshNumber())
    const customer = String((await billingRows(db, user.account_id)).account?.stripe_customer_id)
    const card = await payments.card('4000000000000341')
    await payments.api('POST', `/v1/payment_methods/${card}/attach`, { customer })
    await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { default_payment_method: card })
    await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { trial_end: 'now' })
    await sync(services, user.account_id, user.subscription)
    expect(await subscription(user.token)).toMatchObject({ status: 'requires_payment_method' })
    expect(await openInvoices(user.account_id)).toHaveLength(1)
    return user
  }

  it('is paid with the new card [call:PATCH /api/account/card]', async () => {
    const user = await due()
    const answer = await replace(user.token, { token: await payments.card(mastercard) })
    expect(answer.data).toMatchObject({ last4: '4444' })
    expect(await subscription(user.token)).toMatchObject({ status: 'active' })
    expect(await openInvoices(user.account_id)).toEqual([])
    expect(await paid(user.account_id)).toEqual([1200])
  })

  it('declined again: the new card stays and the reason is returned', async () => {
    const user = await due()
    const answer = await replace(user.token, { token: await payments.card('4000000000000341') })
    expect(answer).toMatchObject({ status: 422, body: { code: 'card_declined', inputError: 'token' } })
    expect(await cards(user.account_id)).toEqual(['0341'])
    expect((await noted(user.account_id)).slice(-1)).toEqual(['card.changed'])
    const better = await replace(user.token, { token: await payments.card() })
    expect(better.data).toMatchObject({ last4: '4242' })
    expect(await subscription(user.token)).toMatchObject({ status: 'active' })
  })

  it.each([
    [asksAlways, 'complete', 200, null],
    [asksAlways, 'fail', 422, 'payment_not_authorized'],
    ['4000008260003178', 'complete', 422, 'card_insufficient_funds'],
  ] as const)(
    '%s: the bank asks about the card, then about the payment (%s)',
    async (number, outcome, status, code) => {
      const user = await due()
      const token = await payments.card(number)
      const first = await replace(user.token, { token })
      expect(first.data).toMatchObject({ kind: 'setup' })
      const setup_intent = await payments.bank(String(first.data.client_secret), 'complete')
      const second = await replace(user.token, { token, setup_intent })
      expect(second.data).toMatchObject({ requires_payment_action: true, kind: 'payment' })
      expect(await subscription(user.token)).toMatchObject({ status: 'requires_action' })
      const payment_intent = await payments.bank(String(second.data.client_secret), outcome)
      const last = await replace(user.token, { token, payment_intent })
      expect(last.status).toBe(status)
      if (code) expect(last.body).toMatchObject({ code, inputError: 'token' })
      expect(await paid(user.account_id)).toHaveLength(code ? 0 : 1)
      expect(await subscription(user.token)).toMatchObject({
        status: code ? 'requires_payment_method' : 'active',
      })
    },
  )

  it('must be paid before another plan; the free plan is always possible [call:PATCH /api/account/plan] [T-61]', async () => {
    const user = await due()
    for (const plan of ['scale', 'startup_yearly'])
      expect(await change(user.token, { plan })).toMatchObject({
        status: 409,
        body: { code: 'payment_due', inputError: 'plan' },
      })
    const shown = await call('GET', '/api/account/plan/preview?plan=scale', { token: user.token })
    expect(shown.body).toMatchObject({ code: 'payment_due' })
    expect((await change(user.token, { plan: 'startup' })).data).toMatchObject({ plan: 'startup' })
    expect((await change(user.token, { plan: 'free' })).data).toMatchObject({
      plan: 'startup',
      pending_plan: 'free',
    })
    expect(await paid(user.account_id)).toEqual([])
  })

  it('the free plan starts when the period is over [state:plan.to-free]', async () => {
    const user = await on('scale')
    await change(user.token, { plan: 'free' })
    await payments.passDays(32)
    await sync(services, user.account_id, user.subscription)
    expect(await subscription(user.token)).toMatchObject({
      plan: 'free',
      status: 'active',
      pending_plan: null,
    })
    expect(await paid(user.account_id)).toEqual([4900])
  })
})
