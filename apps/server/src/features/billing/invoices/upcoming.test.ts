import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { syncSeats } from '../seats/sync-seats.ts'

const made = await makeTestApp()
const { call, people } = made
const payments = paymentsOf(made.config.payments.apiBase ?? '')
const { on, choose, change, preview, subscription } = plansOf(made, payments)
const upcoming = async (token: string, seats?: number) =>
  call('GET', `/api/account/invoice/upcoming${seats ? `?seats=${seats}` : ''}`, { token })

describe('the next payment [call:GET /api/account/invoice/upcoming]', () => {
  it('of a running plan: the price of a period, and its date', async () => {
    const user = await on('scale')
    const { current_period_end } = await subscription(user.token)
    expect((await upcoming(user.token)).data).toEqual({
      ...{ credit: 0, currency: 'usd', prorated: 0, amount: 4900, draft: null },
      date: current_period_end,
    })
  })

  it('of a trial: the first payment', async () => {
    const user = await on('startup', freshNumber())
    const { trial_end } = await subscription(user.token)
    expect((await upcoming(user.token)).data).toMatchObject({ amount: 1200, date: trial_end })
  })

  it('includes new members before and after their seats are synced', async () => {
    const user = await on('startup', freshNumber())
    await people.member(user, 'user')
    expect((await upcoming(user.token)).data).toMatchObject({ amount: 2400 })
    await made.db.asOwnerOfJobs("update seat_changes set changed_at = changed_at - interval '1 minute'")
    expect(await syncSeats(made.services)).toBe(1)
    expect((await upcoming(user.token)).data).toMatchObject({ amount: 2400 })
  })

  it('shows what further seats add to it, before and after they are added', async () => {
    const user = await on('startup_yearly')
    const { amount } = (await upcoming(user.token)).data
    const shown = (await upcoming(user.token, 1)).data
    // The share of the rest of this year, and the whole next year.
    expect([amount, shown.amount, shown.prorated]).toEqual([12_000, 36_000, 12_000])
    await people.member(user, 'user')
    await made.db.asOwnerOfJobs("update seat_changes set changed_at = changed_at - interval '1 minute'")
    expect(await syncSeats(made.services)).toBe(1)
    expect((await upcoming(user.token)).data).toEqual(shown)
  })

  it('shows the full share of a further seat after a code that was taken off once', async () => {
    const { code } = await payments.code()
    const user = await people.verified()
    const token = await payments.card()
    await choose(user.token, { plan: 'startup_yearly', token, promotion_code: code })
    const shown = (await upcoming(user.token, 1)).data
    await people.member(user, 'user')
    await made.db.asOwnerOfJobs("update seat_changes set changed_at = changed_at - interval '1 minute'")
    expect(await syncSeats(made.services)).toBe(1)
    expect((await upcoming(user.token)).data).toEqual(shown)
    expect(shown.amount).toBe(24_000 + shown.prorated)
  })

  it('ignores further seats on a plan without a price per seat, and refuses text', async () => {
    const user = await on('scale')
    expect((await upcoming(user.token, 3)).data).toMatchObject({ amount: 4900, prorated: 0 })
    expect((await upcoming(user.token, -1)).status).toBe(422)
  })

  it('shows the credit of a change to a cheaper plan, as its preview did', async () => {
    const user = await on('scale')
    const { credit, next_amount, quote } = await preview(user.token, 'startup')
    await change(user.token, { plan: 'startup', quote })
    const { data } = await upcoming(user.token)
    expect(data).toMatchObject({ credit, amount: next_amount })
    expect(credit).toBeGreaterThan(3600)
  })

  it('is null when nothing more is charged', async () => {
    const user = await on('scale')
    await change(user.token, { plan: 'free' })
    const none = { credit: 0, currency: 'usd', prorated: 0, date: null, amount: null, draft: null }
    expect((await upcoming(user.token)).data).toEqual(none)
    expect((await upcoming((await people.owner()).token)).data).toEqual(none)
  })

  it('is refused to non-owners', async () => {
    const user = await on('scale')
    const member = await people.member(user, 'admin')
    expect(await upcoming(member.token)).toMatchObject({ status: 403, body: { code: 'permission_required' } })
  })
})

describe('usage above the limits of a smaller plan [call:GET /api/account/plan/preview]', () => {
  it('shows in the preview, and members and keys stay after the change', async () => {
    const user = await on('scale')
    for (let at = 0; at < 3; at++) await people.member(user, 'user')
    expect((await preview(user.token, 'free')).over).toEqual([{ what: 'users', used: 4, limit: 3 }])
    expect((await preview(user.token, 'startup')).over).toEqual([])
    const { seats } = await subscription(user.token)
    expect(seats).toBe(4)
  })
})
