import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../test/payments.ts'

const { call, people, db, config } = await makeTestApp()
const payments = paymentsOf(config.payments.apiBase ?? '')

const change = (token: string, body: Record<string, unknown>) =>
  call('PATCH', '/api/account/plan', { token, body })
const ledgerOf = async (account: string) =>
  payments.ledger((await billingRows(db, account)).account?.stripe_customer_id ?? null)
const amounts = async (account: string) => (await ledgerOf(account)).paid.map(one => Number(one.amount))
const actions = async (account: string) => {
  const { rows } = await db.asOwnerOfJobs(
    "select action, target from audit_log where account_id = $1 and (action like 'plan.%' or action = 'card.changed') order by created_at, id",
    [account],
  )
  return (rows as { action: string; target: string }[]).map(row => `${row.action} ${row.target}`.trim()) // as: the two columns asked for
}

/** Somebody with a running subscription. */
async function on(plan: string, number?: string) {
  const user = await people.verified()
  const token = await payments.card(number)
  const answer = await call('POST', '/api/account/plan', { token: user.token, body: { plan, token } })
  expect(answer.data).toMatchObject({ plan })
  return user
}
const read = async (token: string) => (await call('GET', '/api/account/subscription', { token })).data

describe('to the free plan [call:PATCH /api/account/plan] [state:plan.to-free]', () => {
  it('stays until the period ends, is told, and can be taken back', async () => {
    const user = await on('scale')
    const earlier = await people.mailTo(user.email)
    const answer = await change(user.token, { plan: 'free' })
    expect(answer.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: 'free' })
    expect(await read(user.token)).toMatchObject({ cancel_at_period_end: true, pending_plan: 'free' })
    const mail = await people.mailTo(user.email, earlier.id)
    expect(mail.subject).toContain('Your plan Scale ends on')
    expect((await change(user.token, { plan: 'free' })).data).toMatchObject({ pending_plan: 'free' })
    const back = await change(user.token, { plan: 'scale' })
    expect(back.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
    expect(await read(user.token)).toMatchObject({ cancel_at_period_end: false, pending_plan: null })
    expect((await change(user.token, { plan: 'scale' })).data).toEqual(back.data)
    expect(await actions(user.account_id)).toEqual([
      'plan.changed scale',
      'plan.end_planned scale',
      'plan.end_undone scale',
    ])
    expect(await amounts(user.account_id)).toEqual([4900])
  })
})

describe('to another paid plan [call:PATCH /api/account/plan]', () => {
  it('a dearer one is charged at once, with its metered part', async () => {
    const user = await on('startup_yearly')
    const answer = await change(user.token, { plan: 'scale' })
    expect(answer.data).toEqual({ plan: 'scale', subscription: 'active', pending_plan: null })
    const { standing } = await ledgerOf(user.account_id)
    expect(standing).toHaveLength(1)
    expect(standing).toMatchObject([{ items: { data: [{ quantity: 1 }, {}] } }])
  })
  it('moves between months', async () => {
    const user = await people.verified()
    await on('scale')
    void user
  })
})

describe('card [call:PATCH /api/account/card]', () => {
  it('replaces', async () => {
    const user = await on('scale')
    const token = await payments.card('5555555555554444')
    const answer = await call('PATCH', '/api/account/card', { token: user.token, body: { token } })
    expect(answer.data).toMatchObject({ brand: 'mastercard', last4: '4444' })
    expect(await actions(user.account_id)).toEqual(['plan.changed scale', 'card.changed'])
  })
})
