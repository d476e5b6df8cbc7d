import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const made = await makeTestApp()
const { call, people, db, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { on, choose, change, upgrade, preview, paid, standing, attempts } = plansOf(made, payments)

const redeemed = async (id: string) => (await payments.api('GET', `/v1/promotion_codes/${id}`)).times_redeemed
const rowsOf = (user: { account_id: string }) => billingRows(db, user.account_id)
const ask = async (token: string, plan: string, code: string) =>
  call('GET', `/api/account/plan/preview?plan=${plan}&promotion_code=${encodeURIComponent(code)}`, { token })

describe('a code with the first plan [call:POST /api/account/plan] [entity:promotion-code] [call:GET /api/account/plan/preview]', () => {
  it('reduces the price as previewed, now and as long as it lasts', async () => {
    const { code, id } = await payments.code({ duration: 'forever' })
    const user = await people.verified()
    const shown = await preview(user.token, 'startup_yearly', code.toLowerCase())
    expect(shown).toMatchObject({
      lines: [{ amount: 12_000 }],
      discount: 2400,
      tax: 0,
      due_now: 9600,
      next_amount: 9600,
      promotion: { code, percent_off: 20, amount_off: null, duration: 'forever', months: null },
    })
    expect((await rowsOf(user)).account?.stripe_customer_id).toBeNull()
    const answer = await choose(user.token, {
      plan: 'startup_yearly',
      token: await payments.card(),
      promotion_code: ` ${code.toLowerCase()} `,
    })
    expect(answer.data).toMatchObject({ plan: 'startup_yearly', subscription: 'active' })
    expect(await paid(user.account_id)).toEqual([shown.due_now])
    expect((await rowsOf(user)).attempts).toMatchObject([
      { promotion_code: code.toLowerCase(), promotion_id: id },
    ])
    expect(await redeemed(id)).toBe(1)
  })

  it('once, for months, or a fixed amount: the preview shows the next invoice', async () => {
    const once = await payments.code()
    const months = await payments.code({ duration: 'repeating', duration_in_months: '2' })
    const amount = await payments.code({ amount_off: '700', currency: 'usd' })
    const user = await people.verified()
    expect(await preview(user.token, 'scale', once.code)).toMatchObject({ due_now: 3920, next_amount: 4900 })
    expect(await preview(user.token, 'scale', months.code)).toMatchObject({
      due_now: 3920,
      next_amount: 3920,
    })
    expect(await preview(user.token, 'startup_yearly', months.code)).toMatchObject({
      due_now: 9600,
      next_amount: 12_000,
    })
    expect(await preview(user.token, 'scale', amount.code)).toMatchObject({
      due_now: 4200,
      promotion: { amount_off: 700, percent_off: null },
    })
    expect(await preview(user.token, 'free', amount.code)).toMatchObject({ due_now: 0, promotion: null })
  })

  it('applies after a trial', async () => {
    const { code, id } = await payments.code()
    const user = await people.verified()
    const shown = await preview(user.token, 'startup', code)
    expect(shown).toMatchObject({ lines: [], discount: 0, due_now: 0, next_amount: 960 })
    const answer = await choose(user.token, {
      plan: 'startup',
      token: await payments.card(freshNumber()),
      promotion_code: code,
    })
    expect(answer.data).toMatchObject({ subscription: 'trialing' })
    const { id: subscription } = await standing(user.account_id)
    const next = await payments.api('POST', '/v1/invoices/create_preview', { subscription })
    expect(next.total).toBe(shown.next_amount)
    expect(await redeemed(id)).toBe(1)
    // The change that ends the trial uses the code, so the renewal has the full price.
    expect(await preview(user.token, 'startup_yearly')).toMatchObject({
      discount: 2400,
      due_now: 9600,
      next_amount: 12_000,
    })
  })

  it('is accepted from owners only', async () => {
    const { code } = await payments.code()
    const owner = await people.owner()
    for (const role of ['admin', 'developer', 'user'] as const) {
      const { token } = await people.member(owner, role)
      expect((await ask(token, 'scale', code)).status).toBe(403)
      const body = { plan: 'scale', token: 'pm_x', promotion_code: code }
      expect((await choose(token, body)).status).toBe(403)
      expect((await upgrade(token, body)).status).toBe(403)
    }
    expect((await call('GET', '/api/account/plan/preview?plan=scale&promotion_code=x')).status).toBe(401)
    for (const promotion_code of [7, ['x'], 'x'.repeat(501), 'a\u0000b'])
      expect((await choose(owner.token, { plan: 'scale', token: 'pm_x', promotion_code })).status).toBe(422)
  })
})

/** Codes that do not apply to the Scale plan, and the reason. */
async function badCodes() {
  const usedUp = await payments.code({}, { max_redemptions: '1' })
  const first = await people.verified()
  await choose(first.token, { plan: 'scale', token: await payments.card(), promotion_code: usedUp.code })
  const off = await payments.code()
  await payments.api('POST', `/v1/promotion_codes/${off.id}`, { active: 'false' })
  const gone = await payments.code()
  await payments.api('DELETE', `/v1/coupons/${gone.coupon}`)
  const customer = String((await payments.api('POST', '/v1/customers')).id)
  const limit = { 'restrictions[minimum_amount]': '5000', 'restrictions[minimum_amount_currency]': 'usd' }
  return {
    promotion_code_unknown: ['no such code', gone.code],
    promotion_code_used_up: [usedUp.code],
    promotion_code_expired: [off.code],
    promotion_code_unfit: [
      (await payments.code({ 'applies_to[products][0]': 'plinth_startup_yearly' })).code,
      (await payments.code({ amount_off: '700', currency: 'eur' })).code,
      (await payments.code({}, { customer })).code,
      (await payments.code({}, limit)).code,
    ],
  }
}

describe('an invalid code is refused at its field, and nothing is charged [entity:promotion-code]', () => {
  it('with the first plan', async () => {
    for (const [code, texts] of Object.entries(await badCodes()))
      for (const promotion_code of texts) {
        const user = await people.verified()
        const refusal = { code, inputError: 'promotion_code' }
        const shown = await ask(user.token, 'scale', promotion_code)
        expect([shown.status, shown.body], promotion_code).toMatchObject([422, refusal])
        const token = await payments.card()
        const answer = await choose(user.token, { plan: 'scale', token, promotion_code })
        expect([answer.status, answer.body], promotion_code).toMatchObject([422, refusal])
        const rows = await rowsOf(user)
        expect(rows.account).toMatchObject({ plan: null, stripe_customer_id: null })
        expect(rows.attempts).toMatchObject([{ state: 'failed', failure: code, card_id: null }])
        // The same card still works without the code.
        expect((await choose(user.token, { plan: 'scale', token })).data).toMatchObject({ plan: 'scale' })
        expect(await paid(user.account_id)).toEqual([4900])
      }
  })

  it('in the caller’s language', async () => {
    const user = await people.verified()
    const headers = { 'accept-language': 'de' }
    const path = '/api/account/plan/preview?plan=scale&promotion_code=WRONG'
    const told = await call('GET', path, { token: user.token, headers })
    expect(told.body.message).toContain('Diesen Code gibt es nicht')
  })

  it('a code for new customers, used by a customer who has paid before', async () => {
    const { code } = await payments.code({}, { 'restrictions[first_time_transaction]': 'true' })
    const user = await on('scale')
    expect((await ask(user.token, 'startup_yearly', code)).body).toMatchObject({
      code: 'promotion_code_unfit',
    })
    const answer = await change(user.token, { plan: 'startup_yearly', promotion_code: code })
    expect(answer.body).toMatchObject({ code: 'promotion_code_unfit', inputError: 'promotion_code' })
    expect(await paid(user.account_id)).toEqual([4900])
    const other = await people.verified()
    expect(await preview(other.token, 'scale', code)).toMatchObject({ due_now: 3920 })
  })

  it('with the free plan or the current plan, which it would not reduce', async () => {
    const { code } = await payments.code()
    const user = await people.verified()
    const refusal = { code: 'promotion_code_unfit', inputError: 'promotion_code' }
    expect((await choose(user.token, { plan: 'free', promotion_code: code })).body).toMatchObject(refusal)
    expect((await rowsOf(user)).account?.plan).toBeNull()
    const running = await on('scale')
    for (const plan of ['free', 'scale'])
      expect((await change(running.token, { plan, promotion_code: code })).body).toMatchObject(refusal)
    const again = { plan: 'scale', token: await payments.card(), promotion_code: code }
    expect((await choose(running.token, again)).body).toMatchObject({ code: 'plan_taken' })
    expect((await rowsOf(running)).attempts).toHaveLength(1)
  })
})

describe('a code with a change [call:PATCH /api/account/plan] [call:POST /api/account/upgrade]', () => {
  it('costs what the preview showed, and replaces an earlier code', async () => {
    const first = await payments.code({ percent_off: '50', duration: 'forever' })
    const next = await payments.code()
    const user = await people.verified()
    await choose(user.token, { plan: 'scale', token: await payments.card(), promotion_code: first.code })
    const shown = await preview(user.token, 'startup_yearly', next.code)
    expect(shown).toMatchObject({ discount: 2400, next_amount: 12_000, promotion: { code: next.code } })
    const { proration_date } = shown
    const body = { plan: 'startup_yearly', proration_date, promotion_code: next.code }
    const answer = await change(user.token, body)
    expect(answer.data).toMatchObject({ plan: 'startup_yearly', subscription: 'active' })
    expect(await paid(user.account_id)).toEqual([shown.due_now, 2450])
    expect(await redeemed(next.id)).toBe(1)
    // A repeated call is done; another code is refused.
    expect((await change(user.token, body)).data).toMatchObject({ plan: 'startup_yearly' })
    expect(await redeemed(next.id)).toBe(1)
  })

  it('applies to the next invoice when the plan is cheaper', async () => {
    const { code, id } = await payments.code()
    const user = await on('scale')
    const shown = await preview(user.token, 'startup', code)
    expect(shown).toMatchObject({ due_now: 0 })
    const answer = await upgrade(user.token, {
      plan: 'startup',
      token: await payments.card(),
      promotion_code: code,
      proration_date: shown.proration_date,
    })
    expect(answer.data).toMatchObject({ plan: 'startup' })
    const next = await payments.api('POST', '/v1/invoices/create_preview', {
      subscription: user.subscription,
    })
    expect(next).toMatchObject({ amount_due: shown.next_amount, total_discount_amounts: [{ amount: 240 }] })
    expect(await redeemed(id)).toBe(1)
  })

  it('is used with the confirmed change, and stays unused if the bank refuses', async () => {
    const { code, id } = await payments.code({}, { max_redemptions: '1' })
    const user = await on('scale')
    const card = await payments.card('4000002760003184')
    const body = { plan: 'startup_yearly', token: card, promotion_code: code }
    const asked = await upgrade(user.token, body)
    expect(asked.data).toMatchObject({ requires_payment_action: true })
    const failed = await payments.bank(asked.data.client_secret, 'fail')
    expect((await upgrade(user.token, { ...body, payment_intent: failed })).status).toBe(422)
    expect(await redeemed(id)).toBe(0)
    const again = { ...body, token: await payments.card('4000002760003184') }
    const { data } = await upgrade(user.token, again)
    const payment_intent = await payments.bank(data.client_secret, 'complete')
    // The change itself has used the code up.
    expect(await redeemed(id)).toBe(1)
    const done = await upgrade(user.token, { ...again, payment_intent })
    expect(done.data).toMatchObject({ plan: 'startup_yearly', subscription: 'active' })
    expect((await attempts(user.account_id)).map(row => row.state)).toEqual(['failed', 'done'])
  })
})

describe('a repeated call costs the same', () => {
  it('a one-time code stays valid for the repeated call after the bank’s question', async () => {
    const { code } = await payments.code({}, { max_redemptions: '1' })
    const user = await people.verified()
    const body = {
      plan: 'scale',
      token: await payments.card('4000002760003184'),
      promotion_code: code,
    }
    const asked = await choose(user.token, body)
    expect(asked.data).toMatchObject({ requires_payment_action: true })
    const payment_intent = await payments.bank(asked.data.client_secret, 'complete')
    for (let time = 0; time < 2; time++)
      expect((await choose(user.token, { ...body, payment_intent })).data).toMatchObject({ plan: 'scale' })
    expect(await paid(user.account_id)).toEqual([3920])
    expect((await choose(user.token, body)).data).toMatchObject({ plan: 'scale' })
  })

  it('two clicks are one attempt, another code starts a new one', async () => {
    const { code, id } = await payments.code()
    const user = await people.verified()
    const body = { plan: 'scale', token: await payments.card(), promotion_code: code }
    const answers = await Promise.all([choose(user.token, body), choose(user.token, body)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await paid(user.account_id)).toEqual([3920])
    expect(await redeemed(id)).toBe(1)

    const better = await payments.code({ percent_off: '50' })
    const other = await people.verified()
    const token = await payments.card('4000002760003184')
    expect((await choose(other.token, { ...body, token })).data).toMatchObject({
      requires_payment_action: true,
    })
    const changed = { ...body, token: await payments.card(), promotion_code: better.code }
    expect((await choose(other.token, changed)).data).toMatchObject({ plan: 'scale' })
    expect(await paid(other.account_id)).toEqual([2450])
  })
})
