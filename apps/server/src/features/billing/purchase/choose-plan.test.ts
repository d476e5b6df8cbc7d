import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, paymentsOf } from '../../../../test/payments.ts'

const { call, people, db, config } = await makeTestApp()
const payments = paymentsOf(config.payments.apiBase ?? '')

const choose = (token: string, body: Record<string, unknown>) =>
  call('POST', '/api/account/plan', { token, body })
const customerOf = async (account: string): Promise<string | null> =>
  (await billingRows(db, account)).account?.stripe_customer_id ?? null
const ledgerOf = async (account: string) => payments.ledger(await customerOf(account))

describe('free [call:POST /api/account/plan]', () => {
  it('takes effect at once without a call of the provider', async () => {
    const user = await people.verified()
    const answer = await choose(user.token, { plan: 'free' })
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ plan: 'free', subscription: 'active', onboarded: false })
    const rows = await billingRows(db, user.account_id)
    expect(rows.account).toMatchObject({ plan: 'free', stripe_customer_id: null })
    expect(rows.subscription).toMatchObject({ status: 'active', provider_sub_id: null })
    const session = await call('GET', '/api/auth', { token: user.token })
    expect(session.data).toMatchObject({ plan: 'free', subscription: 'active' })
  })

  it('a second call replies the same and is recorded once', async () => {
    const user = await people.verified()
    const answers = await Promise.all([1, 2, 3].map(() => choose(user.token, { plan: 'free' })))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
    expect((await billingRows(db, user.account_id)).audit).toHaveLength(1)
  })
})

describe('a card that can pay [call:POST /api/account/plan]', () => {
  it('starts the trial without a charge, and mails it', async () => {
    const user = await people.verified()
    const earlier = await people.mailTo(user.email)
    const answer = await choose(user.token, { plan: 'startup', token: await payments.card(freshNumber()) })
    expect(answer.data).toEqual({ plan: 'startup', subscription: 'trialing', onboarded: false })
    const { standing, paid } = await ledgerOf(user.account_id)
    expect(standing).toHaveLength(1)
    expect(paid).toHaveLength(0)
    const rows = await billingRows(db, user.account_id)
    expect(rows.account).toMatchObject({ plan: 'startup' })
    expect(rows.account?.trialed_at).not.toBeNull()
    expect(rows.attempts).toMatchObject([{ state: 'done', failure: null }])
    expect(rows.audit).toMatchObject([{ user_id: user.id, target: 'startup' }])
    const mail = await people.mailTo(user.email, earlier.id)
    expect(mail.subject).toContain('Startup')
    const subscription = await call('GET', '/api/account/subscription', { token: user.token })
    expect(subscription.data).toMatchObject({
      status: 'trialing',
      plan: 'startup',
      seats: 1,
      seat_price: 1200,
      interval: 'month',
      currency_symbol: '$',
    })
    expect(subscription.data.trial_end).toBe(subscription.data.current_period_end)
  })

  it.each(['4242424242424242', '5555555555554444', '378282246310005'])(
    '%s is charged once for a plan without a trial',
    async number => {
      const user = await people.verified()
      const answer = await choose(user.token, { plan: 'startup_yearly', token: await payments.card(number) })
      expect(answer.data).toEqual({ plan: 'startup_yearly', subscription: 'active', onboarded: false })
      const { standing, paid } = await ledgerOf(user.account_id)
      expect(standing).toHaveLength(1)
      expect(paid.map(one => one.amount)).toEqual([12_000])
    },
  )

  it('pays for every seat', async () => {
    const user = await people.verified()
    await people.member(user, 'developer')
    const answer = await choose(user.token, { plan: 'startup_yearly', token: await payments.card() })
    expect(answer.status).toBe(200)
    expect((await ledgerOf(user.account_id)).paid.map(one => one.amount)).toEqual([24_000])
    const subscription = await call('GET', '/api/account/subscription', { token: user.token })
    expect(subscription.data).toMatchObject({ seats: 2, seat_price: 12_000, base_price: 24_000 })
  })

  it('scale has a base price and a metered one', async () => {
    const user = await people.verified()
    await people.member(user, 'developer')
    const answer = await choose(user.token, { plan: 'scale', token: await payments.card() })
    expect(answer.data).toMatchObject({ plan: 'scale', subscription: 'active' })
    const subscription = await call('GET', '/api/account/subscription', { token: user.token })
    const expected = { seats: 2, seat_price: 0, base_price: 4900, seat_quote: { amount: 0 } }
    expect(subscription.data).toMatchObject(expected)
    const { standing, paid } = await ledgerOf(user.account_id)
    expect(paid.map(one => one.amount)).toEqual([4900])
    expect(standing).toMatchObject([{ items: { data: [{ quantity: 1 }, {}] } }])
  })

  it('accepts the older kind of token', async () => {
    const user = await people.verified()
    const answer = await choose(user.token, { plan: 'scale', token: 'tok_visa' })
    expect(answer.data).toMatchObject({ plan: 'scale', subscription: 'active' })
  })

  it('replaces the free plan, and is not replaced itself', async () => {
    const user = await people.owner()
    expect((await choose(user.token, { plan: 'startup_yearly', token: await payments.card() })).status).toBe(
      200,
    )
    const again = await choose(user.token, { plan: 'startup_yearly', token: await payments.card() })
    expect(again.data).toMatchObject({ plan: 'startup_yearly', subscription: 'active' })
    for (const plan of ['scale', 'free']) {
      const other = await choose(user.token, { plan, token: await payments.card() })
      expect(other.status).toBe(409)
      expect(other.body).toMatchObject({ code: 'plan_taken', inputError: 'plan' })
    }
    expect((await ledgerOf(user.account_id)).standing).toHaveLength(1)
  })
})

describe('a declined card leaves nothing [call:POST /api/account/plan]', () => {
  it.each([
    ['4000000000000002', 'startup', 'card_declined'],
    ['4000000000009995', 'startup', 'card_insufficient_funds'],
    ['4000000000000069', 'startup', 'card_expired'],
    ['4000000000000127', 'startup', 'card_cvc_wrong'],
    ['4000000000000119', 'startup', 'card_processing_error'],
    ['4000000000000341', 'startup_yearly', 'card_declined'],
    ['4000000000000341', 'scale', 'card_declined'],
  ])('%s for %s: %s at the card field', async (number, plan, code) => {
    const user = await people.verified()
    const answer = await choose(user.token, { plan, token: await payments.card(number) })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code, inputError: 'token' })
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
    const rows = await billingRows(db, user.account_id)
    expect(rows.account?.plan).toBeNull()
    expect(rows.subscription).toBeUndefined()
    expect(rows.attempts).toMatchObject([{ state: 'failed', failure: code }])
    expect(rows.trialCards).toEqual([])
    const better = await choose(user.token, { plan, token: await payments.card(freshNumber()) })
    expect(better.status).toBe(200)
    expect((await ledgerOf(user.account_id)).standing).toHaveLength(1)
  })

  it.each([
    ['startup', '4000000000000002'],
    ['scale', '4000000000000341'],
  ])('five clicks for %s ask the bank once [T-62]', async (plan, number) => {
    const user = await people.verified()
    const token = await payments.card(number)
    const clicks = await Promise.all([1, 2, 3, 4, 5].map(() => choose(user.token, { plan, token })))
    expect(clicks.map(click => click.body.code)).toEqual(Array(5).fill('card_declined'))
    expect((await billingRows(db, user.account_id)).attempts).toHaveLength(1)
    // A call that starts after the refusal asks the bank again.
    expect((await choose(user.token, { plan, token })).body).toMatchObject({ code: 'card_declined' })
    expect((await billingRows(db, user.account_id)).attempts).toHaveLength(2)
  })
})

describe('one trial per account and per card', () => {
  it('refuses a second trial for a card, then charges it', async () => {
    const number = freshNumber()
    const first = await people.verified()
    expect(
      (await choose(first.token, { plan: 'startup', token: await payments.card(number) })).data,
    ).toMatchObject({ subscription: 'trialing' })
    const second = await people.verified()
    const before = await call('GET', '/api/account/plans', { token: second.token })
    expect(before.data.plans.find((plan: { id: string }) => plan.id === 'startup')).toMatchObject({
      trial_available: true,
    })
    const refused = await choose(second.token, { plan: 'startup', token: await payments.card(number) })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ code: 'trial_used', inputError: 'token' })
    const after = await call('GET', '/api/account/plans', { token: second.token })
    expect(after.data.plans.find((plan: { id: string }) => plan.id === 'startup')).toMatchObject({
      trial_available: false,
    })
    const paid = await choose(second.token, { plan: 'startup', token: await payments.card(number) })
    expect(paid.data).toMatchObject({ plan: 'startup', subscription: 'active' })
    expect((await ledgerOf(second.account_id)).paid.map(one => one.amount)).toEqual([1200])
  })

  it('two accounts use one card at once: one gets the trial', async () => {
    const number = freshNumber()
    const users = [await people.verified(), await people.verified()]
    const answers = await Promise.all(
      users.map(async user => choose(user.token, { plan: 'startup', token: await payments.card(number) })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
    const trials = await Promise.all(
      users.map(async user => (await ledgerOf(user.account_id)).standing.length),
    )
    expect(trials.sort()).toEqual([0, 1])
  })
})

const badInput: [Record<string, unknown>, string, string][] = [
  [{}, 'invalid_input', 'plan'],
  [{ plan: 'platinum' }, 'invalid_input', 'plan'],
  [{ plan: '../../x' }, 'invalid_input', 'plan'],
  [{ plan: ['free'] }, 'invalid_input', 'plan'],
  [{ plan: 'startup' }, 'card_required', 'token'],
  [{ plan: 'startup', token: null }, 'card_required', 'token'],
  [{ plan: 'startup', token: '' }, 'card_required', 'token'],
  [{ plan: 'startup', token: 7 }, 'invalid_input', 'token'],
  [{ plan: 'startup', token: 'x'.repeat(256) }, 'invalid_input', 'token'],
  [{ plan: 'startup', token: 'pm_made_up' }, 'invalid_input', 'token'],
  [{ plan: 'startup', token: 'tok_made_up' }, 'invalid_input', 'token'],
  [{ plan: 'startup', token: 'pm/../../customers' }, 'invalid_input', 'token'],
  [{ plan: 'free', customer: 'cus_1' }, 'unknown_field', 'customer'],
  [{ plan: 'free', subscription: 'sub_1' }, 'unknown_field', 'subscription'],
  [{ plan: 'free', price: 'price_1' }, 'unknown_field', 'price'],
  [{ plan: 'startup', setup_intent: 'seti_made_up' }, 'invalid_input', 'setup_intent'],
]

describe('invalid input and forbidden callers [call:POST /api/account/plan]', () => {
  it('invalid input is refused at its field [T-61] [T-63]', async () => {
    const user = await people.verified()
    for (const [body, code, field] of badInput) {
      const answer = await choose(user.token, body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { code, inputError: field } })
    }
    expect((await billingRows(db, user.account_id)).account?.plan).toBeNull()
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
  })

  it("refuses a card that is another customer's [T-61]", async () => {
    const other = await people.verified()
    const token = await payments.card()
    await choose(other.token, { plan: 'scale', token })
    const user = await people.verified()
    const answer = await choose(user.token, { plan: 'scale', token })
    expect(answer.body).toMatchObject({ code: 'invalid_input', inputError: 'token' })
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
  })

  it('requires a session, a verified address and an owner on every call', async () => {
    const owner = await people.owner()
    const calls = [
      ['GET', '/api/account/plans', undefined],
      ['GET', '/api/account/subscription', undefined],
      ['POST', '/api/account/plan', { plan: 'free' }],
    ] as const
    const unproven = await people.signUp()
    const others = await Promise.all(
      (['admin', 'developer', 'user'] as const).map(role => people.member(owner, role)),
    )
    for (const [method, url, body] of calls) {
      expect((await call(method, url, { body })).status).toBe(401)
      expect((await call(method, url, { token: unproven.token, body })).body).toMatchObject({
        code: 'verification_required',
      })
      for (const other of others)
        expect((await call(method, url, { token: other.token, body })).status).toBe(403)
    }
  })

  it('no other account is read or changed [call:GET /api/account/subscription]', async () => {
    const mine = await people.verified()
    await choose(mine.token, { plan: 'scale', token: await payments.card() })
    const other = await people.verified()
    expect((await call('GET', '/api/account/subscription', { token: other.token })).data).toMatchObject({
      status: null,
      plan: null,
    })
    await choose(other.token, { plan: 'free' })
    expect((await call('GET', '/api/account/subscription', { token: mine.token })).data).toMatchObject({
      status: 'active',
      plan: 'scale',
    })
  })
})

describe('plans [call:GET /api/account/plans]', () => {
  it('lists them with prices and labels, in the language asked for [entity:plan] [entity:plan.list]', async () => {
    const user = await people.owner()
    const english = await call('GET', '/api/account/plans', { token: user.token })
    expect(english.data.active).toBe('free')
    expect(english.data.list).toEqual([
      { value: 'free', label: 'Free $0' },
      { value: 'startup', label: 'Startup $12/month' },
      { value: 'startup_yearly', label: 'Startup yearly $120/year' },
      { value: 'scale', label: 'Scale $49/month' },
    ])
    expect(english.data.raw).toEqual(english.data.plans)
    expect(english.data.plans[1]).toEqual({
      id: 'startup',
      name: 'Startup',
      price: 1200,
      interval: 'month',
      currency: { code: 'usd', symbol: '$' },
      type: 'per_seat',
      trial_days: 14,
      trial_available: true,
      label: 'Startup $12/month',
      entitlements: { users: 20, api_keys: 10, events: 100_000 },
    })
    const german = await call('GET', '/api/account/plans', {
      token: user.token,
      headers: { 'accept-language': 'de' },
    })
    expect(german.data.list[2]).toEqual({ value: 'startup_yearly', label: 'Startup jährlich $120/Jahr' })
  })
})
