import { describe, expect, it } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

const made = await makeTestApp()
const { call, people, db, services, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { on, change, preview, paid, standing, noted, subscription, openInvoices, attempts } = plansOf(
  made,
  payments,
)

const visa = '4242424242424242'

/** An account on Startup whose trial is over. */
async function onStartup(card = visa) {
  const user = await on('startup', card === visa ? freshNumber() : card)
  await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { trial_end: 'now' })
  await sync(services, user.account_id, user.subscription)
  return user
}

describe('to the free plan [call:PATCH /api/account/plan] [state:plan.to-free]', () => {
  it('the plan stays until the period ends, the end is mailed, and it can be undone', async () => {
    const user = await on('scale')
    const answer = await change(user.token, { plan: 'free' })
    expect(answer.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: 'free' })
    expect(await subscription(user.token)).toMatchObject({ cancel_at_period_end: true, pending_plan: 'free' })
    await expectMail(made, user.email, /^Your Scale plan ends on /)
    expect((await change(user.token, { plan: 'free' })).data).toEqual(answer.data)
    const back = await change(user.token, { plan: 'scale' })
    expect(back.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
    expect(await subscription(user.token)).toMatchObject({ cancel_at_period_end: false, pending_plan: null })
    expect((await change(user.token, { plan: 'scale' })).data).toEqual(back.data)
    expect(await noted(user.account_id)).toEqual([
      'plan.changed scale',
      'plan.end_planned scale',
      'plan.end_undone scale',
    ])
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('an end planned by date is undone as well', async () => {
    const user = await on('scale')
    const cancel_at = String(Math.floor(Date.now() / 1000) + 864_000)
    await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at })
    await sync(services, user.account_id, user.subscription)
    expect(await subscription(user.token)).toMatchObject({ cancel_at_period_end: true, pending_plan: null })
    expect((await change(user.token, { plan: 'scale' })).status).toBe(200)
    expect(await standing(user.account_id)).toMatchObject({ cancel_at: null })
  })

  it('an end undone in the provider’s portal leaves no pending plan', async () => {
    const user = await on('scale')
    await change(user.token, { plan: 'free' })
    await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at_period_end: 'false' })
    await sync(services, user.account_id, user.subscription)
    expect(await subscription(user.token)).toMatchObject({ cancel_at_period_end: false, pending_plan: null })
  })

  it('without a subscription it is a first plan', async () => {
    const user = await people.verified()
    const answer = await change(user.token, { plan: 'free' })
    expect(answer.data).toEqual({ plan: 'free', subscription: 'active', pending_plan: null })
    expect((await change(user.token, { plan: 'scale' })).body).toMatchObject({
      code: 'card_required',
      inputError: 'token',
    })
    const scale = await change(user.token, { plan: 'scale', token: await payments.card() })
    expect(scale.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
  })
})

describe('another paid plan costs what the preview showed [call:PATCH /api/account/plan]', () => {
  it.each([
    ['startup', 'scale', 3700, 0],
    ['startup', 'startup_yearly', 10_800, 0],
    ['scale', 'startup_yearly', 7100, 0],
    ['startup_yearly', 'scale', 0, 7100],
    ['startup_yearly', 'startup', 0, 10_800],
  ])('%s to %s: about %i at once, %i as credit', async (from, to, due, credit) => {
    const user = from === 'startup' ? await onStartup() : await on(from)
    const before = (await paid(user.account_id)).length
    const shown = await preview(user.token, to)
    expect(shown).toMatchObject({ plan: to, when: 'now' })
    expect(Math.abs(shown.due_now - due)).toBeLessThanOrEqual(2)
    expect(Math.abs(shown.credit - credit)).toBeLessThanOrEqual(2)
    const answer = await change(user.token, { plan: to, proration_date: shown.proration_date })
    expect(answer.data).toEqual({ plan: to, subscription: 'active', pending_plan: null })
    const amounts = await paid(user.account_id)
    expect(amounts.slice(0, amounts.length - before)).toEqual(due ? [shown.due_now] : [])
    const { items } = await standing(user.account_id)
    expect(items.data).toHaveLength(to === 'scale' ? 2 : 1)
    expect(await noted(user.account_id)).toEqual([`plan.changed ${from}`, `plan.changed ${to}`])
    expect((await billingRows(db, user.account_id)).account).toMatchObject({ plan: to })
  })

  it('a cheaper plan becomes credit on the next invoice', async () => {
    const user = await on('scale')
    const shown = await preview(user.token, 'startup')
    expect(shown).toMatchObject({ due_now: 0, when: 'now' })
    expect(Math.abs(shown.credit - 3700)).toBeLessThanOrEqual(2)
    const answer = await change(user.token, { plan: 'startup', proration_date: shown.proration_date })
    expect(answer.data).toMatchObject({ plan: 'startup', subscription: 'active' })
    expect(await paid(user.account_id)).toEqual([4900])
    expect((await standing(user.account_id)).items.data).toMatchObject([{ quantity: 1 }])
  })

  it('pays for every member, or for one on a plan not sold by the seat', async () => {
    const user = await on('scale')
    await people.member(user, 'developer')
    await people.member(user, 'user')
    expect((await change(user.token, { plan: 'startup_yearly' })).status).toBe(200)
    expect((await standing(user.account_id)).items.data).toMatchObject([{ quantity: 3 }])
    expect(await subscription(user.token)).toMatchObject({ seats: 3, seat_price: 12_000 })
    expect((await change(user.token, { plan: 'scale' })).status).toBe(200)
    expect((await standing(user.account_id)).items.data).toMatchObject([{ quantity: 1 }, {}])
  })

  it('an outdated or future preview is prorated from now', async () => {
    const user = await on('scale')
    const old = Math.floor(Date.now() / 1000) - 20 * 60
    for (const proration_date of [old, old + 864_000, 0, -5])
      expect((await change(user.token, { plan: 'startup_yearly', proration_date })).status).toBe(200)
    expect(Math.abs((await paid(user.account_id))[0] ?? 0) - 7100).toBeLessThanOrEqual(2)
  })

  it('from a trial to a plan without one: the trial ends and is paid', async () => {
    const user = await on('startup', freshNumber())
    const shown = await preview(user.token, 'scale')
    expect(shown).toMatchObject({ due_now: 4900, credit: 0, next_amount: 4900 })
    expect((await change(user.token, { plan: 'scale' })).data).toMatchObject({
      plan: 'scale',
      subscription: 'active',
    })
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('undoes a planned end after the payment, with one mail', async () => {
    const user = await on('scale')
    await change(user.token, { plan: 'free' })
    const answer = await change(user.token, { plan: 'startup_yearly' })
    expect(answer.data).toEqual({ plan: 'startup_yearly', subscription: 'active', pending_plan: null })
    expect(await standing(user.account_id)).toMatchObject({ cancel_at: null })
    expect((await noted(user.account_id)).slice(-1)).toEqual(['plan.changed startup_yearly'])
  })
})

describe('an unpaid change leaves the old plan and no open charge', () => {
  /** Changes the charged card directly at the provider. */
  async function secretly(user: { account_id: string; subscription: string }, number: string) {
    const customer = String((await billingRows(db, user.account_id)).account?.stripe_customer_id)
    const card = await payments.card(number)
    await payments.api('POST', `/v1/payment_methods/${card}/attach`, { customer })
    await payments.api('POST', `/v1/subscriptions/${user.subscription}`, { default_payment_method: card })
  }

  it('declined: refused at the card field [call:PATCH /api/account/plan]', async () => {
    const user = await on('scale')
    await secretly(user, '4000000000000341')
    const answer = await change(user.token, { plan: 'startup_yearly' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'card_declined', inputError: 'token' } })
    expect(await standing(user.account_id)).toMatchObject({ status: 'active', pending_update: null })
    expect(await openInvoices(user.account_id)).toEqual([])
    expect(await subscription(user.token)).toMatchObject({ plan: 'scale', status: 'active' })
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'failed', failure: 'card_declined' }])
    await secretly(user, visa)
    expect((await change(user.token, { plan: 'startup_yearly' })).data).toMatchObject({
      plan: 'startup_yearly',
    })
  })

  it('declined during a trial: the trial continues', async () => {
    const user = await on('startup', '4000000000000341')
    const answer = await change(user.token, { plan: 'scale' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'card_declined', inputError: 'token' } })
    expect(await standing(user.account_id)).toMatchObject({ status: 'trialing', pending_update: null })
    expect(await subscription(user.token)).toMatchObject({ plan: 'startup', status: 'trialing' })
  })

  it('five clicks ask the bank once [T-62]', async () => {
    const user = await on('scale')
    await secretly(user, '4000000000000341')
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => change(user.token, { plan: 'startup_yearly' })),
    )
    expect(answers.map(answer => answer.body.code)).toEqual(Array(5).fill('card_declined'))
    expect(await attempts(user.account_id)).toHaveLength(1)
  })
})

describe('concurrent calls [T-61] [T-62]', () => {
  it('fifty equal changes are one change and one charge', async () => {
    const user = await on('scale')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => change(user.token, { plan: 'startup_yearly' })),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(50).fill(200))
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await attempts(user.account_id)).toHaveLength(1)
    expect(await noted(user.account_id)).toHaveLength(2)
  })

  it('two tabs with two plans: both get a reply, one plan is in force', async () => {
    const user = await on('scale')
    const answers = await Promise.all(
      ['startup_yearly', 'free', 'startup'].map(plan => change(user.token, { plan })),
    )
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
    const { items } = await standing(user.account_id)
    expect(items.data).toHaveLength(1)
    const { account, subscription: row } = await billingRows(db, user.account_id)
    expect(account?.plan).toBe(row?.plan)
    expect(new Set((await attempts(user.account_id)).map(one => one.state))).toEqual(new Set(['done']))
  })

  it('one Idempotency-Key, one answer', async () => {
    const user = await on('scale')
    const headers = { 'idempotency-key': 'change-of-this-test' }
    const ask = () =>
      call('PATCH', '/api/account/plan', { token: user.token, body: { plan: 'startup_yearly' }, headers })
    const first = await ask()
    const second = await ask()
    expect(second.data).toEqual(first.data)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })
})

describe('invalid input and forbidden callers [call:PATCH /api/account/plan]', () => {
  it('invalid input is refused at its field [T-61]', async () => {
    const user = await on('scale')
    const bad: [Record<string, unknown>, string, string][] = [
      [{}, 'invalid_input', 'plan'],
      [{ plan: '../../x' }, 'invalid_input', 'plan'],
      [{ plan: 'startup_yearly', token: 'pm_made_up' }, 'invalid_input', 'token'],
      [{ plan: 'startup_yearly', proration_date: 'soon' }, 'invalid_input', 'proration_date'],
      [{ plan: 'startup_yearly', proration_date: 1.5 }, 'invalid_input', 'proration_date'],
      [{ plan: 'startup_yearly', payment_intent: 'pi_made_up' }, 'invalid_input', 'payment_intent'],
      [{ plan: 'startup_yearly', price: 'price_1' }, 'unknown_field', 'price'],
      [{ plan: 'startup_yearly', quantity: 0 }, 'unknown_field', 'quantity'],
    ]
    for (const [body, code, field] of bad)
      expect(await change(user.token, body), JSON.stringify(body)).toMatchObject({
        status: 422,
        body: { code, inputError: field },
      })
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('non-owners and other accounts are refused', async () => {
    const owner = await on('scale')
    for (const role of ['admin', 'developer', 'user'] as const) {
      const other = await people.member(owner, role)
      expect((await change(other.token, { plan: 'free' })).status).toBe(403)
    }
    expect((await call('PATCH', '/api/account/plan', { body: { plan: 'free' } })).status).toBe(401)
    const stranger = await on('scale')
    await change(stranger.token, { plan: 'free' })
    expect(await subscription(owner.token)).toMatchObject({ pending_plan: null, plan: 'scale' })
  })
})
