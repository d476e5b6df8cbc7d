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

describe('3D Secure [call:POST /api/account/plan] [T-61]', () => {
  const due = async (number: string, plan: string) => {
    const user = await people.verified()
    const token = await payments.card(number)
    const answer = await choose(user.token, { plan, token })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ requires_payment_action: true })
    expect((await billingRows(db, user.account_id)).account?.plan).toBeNull()
    const { client_secret, kind } = answer.data as { client_secret: string; kind: 'payment' | 'setup' }
    const repeat = (intent: string) => choose(user.token, { plan, token, [`${kind}_intent`]: intent })
    return {
      user,
      token,
      secret: client_secret,
      kind,
      repeat,
      intent: client_secret.split('_secret_')[0] ?? '',
    }
  }

  it.each([
    ['4000002500003155', 'startup_yearly', 'payment'],
    ['4000002760003184', 'scale', 'payment'],
    ['4000002760003184', 'startup_yearly', 'payment'],
  ])('%s for %s: confirmed at the bank, the %s succeeds', async (number, plan, kind) => {
    const { user, secret, repeat, ...asked } = await due(number, plan)
    expect(asked.kind).toBe(kind)
    const answer = await repeat(await payments.bank(secret, 'complete'))
    expect(answer.data).toMatchObject({ plan, subscription: 'active' })
    const { standing, paid } = await ledgerOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
    expect((await billingRows(db, user.account_id)).attempts).toMatchObject([{ state: 'done' }])
  })

  it('a trial asks the bank about the card before it begins', async () => {
    const { user, secret, repeat, kind } = await due('4000002500003155', 'startup')
    expect(kind).toBe('setup')
    expect((await ledgerOf(user.account_id)).standing).toHaveLength(0)
    const answer = await repeat(await payments.bank(secret, 'complete'))
    expect(answer.data).toMatchObject({ plan: 'startup', subscription: 'trialing' })
    expect(await ledgerOf(user.account_id)).toMatchObject({ standing: [{ status: 'trialing' }], paid: [] })
  })

  it.each([
    ['4000002760003184', 'startup_yearly', 'fail', 'payment_not_authorized'],
    ['4000002760003184', 'startup', 'fail', 'payment_not_authorized'],
    ['4000008260003178', 'scale', 'complete', 'card_insufficient_funds'],
  ] as const)('%s for %s, answered with %s: %s, and nothing is left', async (number, plan, outcome, code) => {
    const { user, secret, repeat } = await due(number, plan)
    const intent = await payments.bank(secret, outcome)
    const answer = await repeat(intent)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code, inputError: 'token' })
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
    expect((await billingRows(db, user.account_id)).trialCards).toEqual([])
    expect((await repeat(intent)).body).toMatchObject({ code })
    const better = await choose(user.token, { plan, token: await payments.card(freshNumber()) })
    expect(better.status).toBe(200)
  })

  it('a browser that claims a confirmation gets the bank’s question again', async () => {
    const { user, repeat, intent, secret } = await due('4000002760003184', 'startup_yearly')
    const answer = await repeat(intent)
    expect(answer.data).toMatchObject({ requires_payment_action: true, client_secret: secret })
    expect((await billingRows(db, user.account_id)).account?.plan).toBeNull()
  })

  it('refuses payment objects of another account and unknown ones', async () => {
    const theirs = await due('4000002760003184', 'startup_yearly')
    await payments.bank(theirs.secret, 'complete')
    const mine = await due('4000002760003184', 'startup_yearly')
    for (const intent of [theirs.intent, 'pi_made_up']) {
      const answer = await mine.repeat(intent)
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ code: 'invalid_input', inputError: 'payment_intent' })
    }
    expect((await billingRows(db, mine.user.account_id)).account?.plan).toBeNull()
    expect((await theirs.repeat(theirs.intent)).status).toBe(200)
  })

  it('another card given while the bank waits: the first payment is canceled', async () => {
    const { user } = await due('4000002760003184', 'startup_yearly')
    const answer = await choose(user.token, { plan: 'startup_yearly', token: await payments.card() })
    expect(answer.data).toMatchObject({ subscription: 'active' })
    const { standing, paid } = await ledgerOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
    expect((await billingRows(db, user.account_id)).attempts).toMatchObject([
      { state: 'failed' },
      { state: 'done' },
    ])
  })

  it('the free plan chosen while the bank waits: the payment is canceled', async () => {
    const { user, secret } = await due('4000002760003184', 'startup_yearly')
    const answer = await choose(user.token, { plan: 'free' })
    expect(answer.data).toMatchObject({ plan: 'free', subscription: 'active' })
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
    await expect(payments.bank(secret, 'complete')).rejects.toThrow()
  })

  it('confirmed in one tab while another tab sends a card: paid once', async () => {
    const { user, secret } = await due('4000002760003184', 'startup_yearly')
    await payments.bank(secret, 'complete')
    const answer = await choose(user.token, { plan: 'startup_yearly', token: await payments.card() })
    expect(answer.data).toMatchObject({ plan: 'startup_yearly', subscription: 'active' })
    const { standing, paid } = await ledgerOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
  })
})

describe('concurrent calls [call:POST /api/account/plan] [T-62]', () => {
  it('ten clicks make one subscription and one charge', async () => {
    const user = await people.verified()
    const token = await payments.card()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => choose(user.token, { plan: 'startup_yearly', token })),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(200))
    const { standing, paid } = await ledgerOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
    const rows = await billingRows(db, user.account_id)
    expect([rows.attempts.length, rows.audit.length]).toEqual([1, 1])
  })

  it('two tabs with two cards make one subscription and one charge', async () => {
    const user = await people.verified()
    const tokens = await Promise.all([payments.card(), payments.card('5555555555554444')])
    const answers = await Promise.all(tokens.map(token => choose(user.token, { plan: 'scale', token })))
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    const { standing, paid } = await ledgerOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
  })

  it('one Idempotency-Key, one answer', async () => {
    const user = await people.verified()
    const body = { plan: 'startup_yearly', token: await payments.card() }
    const headers = { 'idempotency-key': 'a-key-of-this-test' }
    const first = await call('POST', '/api/account/plan', { token: user.token, body, headers })
    const second = await call('POST', '/api/account/plan', { token: user.token, body, headers })
    expect(second.data).toEqual(first.data)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })
})
