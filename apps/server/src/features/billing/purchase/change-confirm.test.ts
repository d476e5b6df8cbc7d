import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

const made = await makeTestApp()
const { db, services, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { on, change, cards, paid, standing, noted, openInvoices, attempts } = plansOf(made, payments)

const asksAlways = '4000002760003184'

describe('3D Secure [call:PATCH /api/account/plan] [T-61]', () => {
  async function due() {
    const user = await on('scale', asksAlways)
    const answer = await change(user.token, { plan: 'startup_yearly' })
    expect(answer.data).toMatchObject({ requires_payment_action: true, kind: 'payment' })
    const secret = String(answer.data.client_secret)
    const intent = secret.split('_secret_')[0] ?? ''
    const repeat = (payment_intent: string) => change(user.token, { plan: 'startup_yearly', payment_intent })
    return { user, secret, intent, repeat }
  }
  const planOf = async (account: string) => (await billingRows(db, account)).account?.plan

  it('confirmed at the bank: the repeated call completes without a second change', async () => {
    const { user, secret, repeat } = await due()
    expect(await planOf(user.account_id)).toBe('scale')
    const answer = await repeat(await payments.bank(secret, 'complete'))
    expect(answer.data).toEqual({ plan: 'startup_yearly', subscription: 'active', pending_plan: null })
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
  })

  it('a webhook completes the change before the browser is back', async () => {
    const { user, secret, repeat } = await due()
    const intent = await payments.bank(secret, 'complete')
    await sync(services, user.account_id, user.subscription)
    expect(await planOf(user.account_id)).toBe('startup_yearly')
    expect((await repeat(intent)).data).toMatchObject({ plan: 'startup_yearly' })
    expect(await noted(user.account_id)).toEqual(['plan.changed scale', 'plan.changed startup_yearly'])
  })

  it('refused at the bank: the old plan stays and nothing is open', async () => {
    const { user, secret, repeat } = await due()
    const intent = await payments.bank(secret, 'fail')
    for (const answer of [await repeat(intent), await repeat(intent)])
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'payment_not_authorized', inputError: 'token' },
      })
    expect(await planOf(user.account_id)).toBe('scale')
    expect(await openInvoices(user.account_id)).toEqual([])
    expect(await paid(user.account_id)).toHaveLength(1)
  })

  it('refused with a new card while the old one was deleted: the new card stays, nothing is open', async () => {
    const user = await on('scale')
    const old = (await standing(user.account_id)).default_payment_method
    const token = await payments.card(asksAlways)
    const asked = await change(user.token, { plan: 'startup_yearly', token })
    expect(asked.data).toMatchObject({ requires_payment_action: true })
    await payments.api('POST', `/v1/payment_methods/${old}/detach`)
    const intent = await payments.bank(String(asked.data.client_secret), 'fail')
    const answer = await change(user.token, {
      plan: 'startup_yearly',
      token,
      [`${asked.data.kind}_intent`]: intent,
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'payment_not_authorized' } })
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'failed' }])
    expect(await cards(user.account_id)).toEqual(['3184'])
  })

  it('a browser that claims a confirmation gets the bank’s question again', async () => {
    const { user, secret, intent, repeat } = await due()
    expect((await repeat(intent)).data).toMatchObject({ client_secret: secret })
    expect(await planOf(user.account_id)).toBe('scale')
  })

  it('choosing the current plan again cancels the open payment', async () => {
    const { user, secret } = await due()
    expect((await change(user.token, { plan: 'scale' })).data).toMatchObject({ plan: 'scale' })
    await expect(payments.bank(secret, 'complete')).rejects.toThrow()
    expect(await standing(user.account_id)).toMatchObject({ pending_update: null })
  })

  it('refuses payment objects of another account and unknown ones', async () => {
    const theirs = await due()
    await payments.bank(theirs.secret, 'complete')
    const mine = await due()
    for (const intent of [theirs.intent, 'pi_made_up'])
      expect(await mine.repeat(intent)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', inputError: 'payment_intent' },
      })
    expect(await planOf(mine.user.account_id)).toBe('scale')
  })
})
