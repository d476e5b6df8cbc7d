import { planOf } from '@plinth/contract/plans'
import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

const made = await makeTestApp()
const { call, people, config, services } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { choose, customerOf, on, change, preview, paid } = plansOf(made, payments)

const ahead = (days: number) => Date.now() + days * 86_400_000
const off = (date: string, days: number) => Math.abs(Date.parse(date) - ahead(days)) / 86_400_000

const use = async (account: string, events: number) =>
  payments.api('POST', '/v1/billing/meter_events', {
    event_name: planOf('scale').metered?.event_name ?? '',
    identifier: `preview ${account}`,
    'payload[stripe_customer_id]': await customerOf(account),
    'payload[value]': String(events),
  })

describe('the preview of a plan [call:GET /api/account/plan/preview]', () => {
  it('of a first plan: the trial, the seats, nothing for the free plan', async () => {
    const user = await people.verified()
    const trial = await preview(user.token, 'startup')
    expect(trial).toMatchObject({
      when: 'now',
      lines: [],
      due_now: 0,
      next_amount: 1200,
      proration_date: null,
    })
    expect(off(trial.next_date, 14)).toBeLessThan(0.01)
    await people.member(user, 'developer')
    expect(await preview(user.token, 'startup_yearly')).toMatchObject({
      lines: [{ text: 'Startup yearly, seats: 2', amount: 24_000, proration: false }],
      due_now: 24_000,
      next_amount: 24_000,
      currency: 'usd',
    })
    expect(await preview(user.token, 'scale')).toMatchObject({ due_now: 4900, lines: [{ text: 'Scale' }] })
    expect(await preview(user.token, 'free')).toMatchObject({ when: 'now', due_now: 0, next_date: null })
    const free = await people.owner()
    expect(await preview(free.token, 'free')).toMatchObject({ when: 'none' })
  })

  it('of a returning account: remaining credit is used', async () => {
    const user = await on('startup_yearly')
    await change(user.token, { plan: 'startup' })
    await payments.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    await sync(services, user.account_id, user.subscription)
    const shown = await preview(user.token, 'scale')
    expect(shown).toMatchObject({
      when: 'now',
      lines: [{ text: 'Scale', amount: 4900 }],
      due_now: 0,
      promotion: null,
    })
    expect(Math.abs(shown.credit - (10_800 - 4900))).toBeLessThanOrEqual(2)
    expect(shown.next_amount).toBe(0)
    expect(await preview(user.token, 'startup')).toMatchObject({ lines: [], due_now: 0, next_amount: 0 })
    const answer = await choose(user.token, { plan: 'scale', token: await payments.card() })
    expect(answer.data).toMatchObject({ plan: 'scale', subscription: 'active' })
    expect(await paid(user.account_id)).toEqual([12_000])
  })

  it('of a deleted customer: the price without any credit', async () => {
    const user = await on('scale')
    await payments.api('DELETE', `/v1/customers/${await customerOf(user.account_id)}`)
    await sync(services, user.account_id, user.subscription)
    expect(await preview(user.token, 'scale')).toMatchObject({ due_now: 4900, credit: 0, next_amount: 4900 })
  })

  it('of a running plan: each line in the caller’s language', async () => {
    const user = await on('scale')
    const shown = await preview(user.token, 'startup_yearly')
    expect(shown).toMatchObject({
      plan: 'startup_yearly',
      when: 'now',
      tax: 0,
      credit: 0,
      next_amount: 12_000,
    })
    expect(shown.lines.map((line: { text: string }) => line.text)).toEqual([
      'Unused time of Scale',
      'Usage of Scale',
      'Startup yearly, seats: 1',
    ])
    const sum = shown.lines.reduce((total: number, line: { amount: number }) => total + line.amount, 0)
    expect(shown.due_now).toBe(sum)
    expect(off(shown.next_date, 365)).toBeLessThan(1.1)
    expect(Math.abs(shown.proration_date - Date.now() / 1000)).toBeLessThan(60)
    const german = await call('GET', '/api/account/plan/preview?plan=startup_yearly', {
      token: user.token,
      headers: { 'accept-language': 'de' },
    })
    expect(german.data.lines[0].text).toBe('Nicht genutzte Zeit von Scale')
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('a cheaper plan goes on the next invoice', async () => {
    const user = await on('scale')
    const shown = await preview(user.token, 'startup')
    expect(shown).toMatchObject({ due_now: 0, next_amount: 0 })
    expect(shown.lines.at(-1)).toMatchObject({ text: 'Startup, seats: 1', amount: 1200, proration: false })
    expect(Math.abs(shown.credit - 3700)).toBeLessThanOrEqual(2)
  })

  it('usage that a change bills is not on the next invoice', async () => {
    const user = await on('scale')
    await use(user.account_id, 20_000)
    const shown = await preview(user.token, 'startup_yearly')
    expect(shown.lines).toContainEqual({ text: 'Usage of Scale', amount: 2000, proration: false })
    expect(shown.next_amount).toBe(12_000)
    expect((await preview(user.token, 'startup')).next_amount).toBe(0)
    const { code } = await payments.code({ duration: 'forever' })
    const saving = await people.verified()
    await choose(saving.token, { plan: 'scale', token: await payments.card(), promotion_code: code })
    await use(saving.account_id, 20_000)
    expect((await preview(saving.token, 'startup_yearly')).next_amount).toBe(9600)
  })

  it('usage of the last minute is included before the job reports it', async () => {
    const user = await on('scale')
    const report = { token: user.token, body: { quantity: 20_000 } }
    expect((await call('POST', '/api/usage', report)).status).toBe(200)
    const shown = await preview(user.token, 'startup_yearly')
    expect(shown.lines).toContainEqual({ text: 'Usage of Scale', amount: 2000, proration: false })
    const { proration_date } = shown
    expect((await change(user.token, { plan: 'startup_yearly', proration_date })).status).toBe(200)
    expect((await paid(user.account_id))[0]).toBe(shown.due_now)
  })

  it('lines of an earlier change are in the caller’s language too', async () => {
    const user = await on('scale')
    expect((await change(user.token, { plan: 'startup' })).status).toBe(200)
    const { data } = await call('GET', '/api/account/plan/preview?plan=startup_yearly', {
      token: user.token,
      headers: { 'accept-language': 'de' },
    })
    expect(data.lines.map((line: { text: string }) => line.text)).toEqual([
      'Nicht genutzte Zeit von Scale',
      'Nutzung von Scale',
      'Startup für den Rest des Zeitraums',
      'Nicht genutzte Zeit von Startup',
      'Startup jährlich, Plätze: 1',
    ])
  })

  it('the free plan starts at the end of the period; the current plan changes nothing', async () => {
    const user = await on('startup', freshNumber())
    const free = await preview(user.token, 'free')
    expect(free).toMatchObject({ when: 'period_end', lines: [], due_now: 0, next_amount: 0 })
    expect(off(free.next_date, 14)).toBeLessThan(0.01)
    expect(await preview(user.token, 'startup')).toMatchObject({ when: 'none', lines: [], due_now: 0 })
  })

  it('is refused to non-owners and for unknown plans', async () => {
    const owner = await on('scale')
    for (const query of ['', '?plan=', '?plan=../../x', '?plan=startup&seats=1'])
      expect((await call('GET', `/api/account/plan/preview${query}`, { token: owner.token })).status).toBe(
        422,
      )
    for (const role of ['admin', 'developer', 'user'] as const) {
      const other = await people.member(owner, role)
      expect(
        (await call('GET', '/api/account/plan/preview?plan=startup', { token: other.token })).status,
      ).toBe(403)
    }
    expect((await call('GET', '/api/account/plan/preview?plan=startup')).status).toBe(401)
  })
})
