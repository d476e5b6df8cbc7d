import { describe, expect, it } from 'vitest'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const made = await makeTestApp()
const { call } = made
const payments = paymentsOf(made.config.payments.apiBase ?? '')
const { on, change, upgrade, subscription } = plansOf(made, payments)

const changed = (quote: object) => ({
  status: 409,
  body: { code: 'price_changed', message: 'The price has changed. Nothing was charged.', data: { quote } },
})

describe('people are added at the price of a seat that was quoted [call:POST /api/invite]', () => {
  const invite = (token: string, body: object) => call('POST', '/api/invite', { token, body })
  const fresh = () => `quoted-${crypto.randomUUID()}@northquay.example`
  const created = () => ({
    ...{ email: fresh(), first_name: 'Bram', last_name: 'Koster', bypass_signup: true, permission: 'user' },
    ...{ password, confirm_password: password },
  })

  it('accepts the price that the subscription says', async () => {
    const user = await on('startup', freshNumber())
    const { seat_quote } = await subscription(user.token)
    expect(seat_quote).toMatchObject({ amount: 1200, currency: 'usd' })
    expect((await invite(user.token, { email: fresh(), quote: seat_quote })).status).toBe(200)
    expect((await invite(user.token, { ...created(), quote: seat_quote })).status).toBe(200)
  })

  it('refuses when the plan, and with it the price of a seat, has changed', async () => {
    const user = await on('startup', freshNumber())
    const { seat_quote } = await subscription(user.token)
    expect((await change(user.token, { plan: 'startup_yearly' })).status).toBe(200)
    for (const body of [{ email: fresh() }, created()])
      expect(await invite(user.token, { ...body, quote: seat_quote })).toMatchObject(
        changed({ amount: 12_000 }),
      )
    const { users, invites } = (await call('GET', '/api/account/users', { token: user.token })).data
    expect([users.length, invites.length]).toEqual([1, 0])
    expect((await change(user.token, { plan: 'scale' })).status).toBe(200)
    expect((await subscription(user.token)).seat_quote).toMatchObject({ amount: 0 })
    expect(await invite(user.token, { email: fresh(), quote: seat_quote })).toMatchObject(
      changed({ amount: 0 }),
    )
  })

  it('refuses the zero of a plan without paid seats once seats cost something', async () => {
    const user = await on('free', freshNumber())
    const { seat_quote } = await subscription(user.token)
    expect(seat_quote).toMatchObject({ amount: 0, currency: 'usd' })
    expect((await invite(user.token, { email: fresh(), quote: seat_quote })).status).toBe(200)
    const paid = await upgrade(user.token, { plan: 'startup', token: await payments.card(freshNumber()) })
    expect(paid.status).toBe(200)
    for (const body of [{ email: fresh() }, created()])
      expect(await invite(user.token, { ...body, quote: seat_quote })).toMatchObject(
        changed({ amount: 1200 }),
      )
  })
})
