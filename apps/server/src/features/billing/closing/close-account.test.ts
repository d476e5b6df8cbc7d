import { describe, expect, it } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { syncSeats } from '../seats/sync-seats.ts'

const payments = await ownSandbox()
const made = await makeTestApp(payments.env)
const { call, db, people, services } = made
const { on, change, preview, customerOf } = plansOf(made, payments)

/** Members who join are carried to the provider, where their seats wait for the next invoice. */
async function addSeats(owner: Awaited<ReturnType<typeof on>>, count: number) {
  for (let at = 0; at < count; at++) await people.member(owner, 'user')
  await db.asOwnerOfJobs("update seat_changes set changed_at = changed_at - interval '1 minute'")
  expect(await syncSeats(services)).toBe(1)
}

const report = (token: string, quantity: number) => call('POST', '/api/usage', { token, body: { quantity } })

/** Closes the account and waits for its job. @returns totals of the invoices that closing added, with their status */
async function closeAccount(owner: { token: string; account_id: string }) {
  const customer = await customerOf(owner.account_id)
  const invoices = async () =>
    (await payments.list('/v1/invoices', { customer })).map(({ status, total }) => `${status} ${total}`)
  const before = await invoices()
  const answer = await call('DELETE', '/api/account', { token: owner.token, body: { password } })
  expect(answer.status).toBe(200)
  const settled = async () =>
    (
      await db.asOwnerOfJobs(
        'select 1 from account_closures where account_id = $1 and settled_at is not null',
        [owner.account_id],
      )
    ).rows.length
  await expect.poll(settled, { timeout: 20_000 }).toBe(1)
  expect((await payments.ledger(customer)).standing).toEqual([])
  return (await invoices()).slice(0, -before.length)
}

describe('closing an account charges nothing that was not shown [call:DELETE /api/account]', () => {
  it('drops the pending price of new seats on a plan that is paid per seat', async () => {
    const owner = await on('startup_yearly')
    await addSeats(owner, 1)
    expect(await closeAccount(owner)).toEqual([])
    const mail = await expectMail(made, owner.email, 'Mara’s account is closed')
    expect(mail.text).toContain('you won’t be charged again')
  })

  it('invoices exactly the usage that Billing showed on a metered plan, and the mail names it', async () => {
    const owner = await on('scale')
    await report(owner.token, 15_000)
    const usage = (await call('GET', '/api/account/usage', { token: owner.token })).data
    expect(usage.amount).toBe(1000)
    expect(await closeAccount(owner)).toEqual(['paid 1000'])
    const mail = await expectMail(made, owner.email, 'Mara’s account is closed')
    expect(mail.text).toContain('Your usage since your last invoice ($10.00) is charged now')
  })

  it('does not add seats of an earlier plan to the invoice of usage', async () => {
    const owner = await on('startup')
    await addSeats(owner, 9)
    await payments.passDays(1)
    const { quote } = await preview(owner.token, 'scale')
    await change(owner.token, { plan: 'scale', quote })
    await report(owner.token, 15_000)
    const charged = await closeAccount(owner)
    expect(charged.length).toBeLessThanOrEqual(1)
    expect(Number(charged[0]?.split(' ')[1] ?? 0)).toBeLessThanOrEqual(1000)
  })
})
