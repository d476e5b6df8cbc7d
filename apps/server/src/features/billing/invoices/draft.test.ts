import { expect, test } from 'vitest'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { call } = made
const { on, change, customerOf } = plansOf(made, sandbox)
const upcoming = async (token: string) => (await call('GET', '/api/account/invoice/upcoming', { token })).data
const invoicesOf = async (customer: string) =>
  (await sandbox.list('/v1/invoices', { customer })).map(({ status, total }) => `${status} ${total}`)

/** Half an hour after the renewal, while its invoice is a draft. */
const renew = (days: number) => sandbox.passDays(days + 1 / 48)

test('the invoice of a renewal is shown until it is charged, and uses the credit first', async () => {
  const user = await on('startup_yearly')
  expect((await change(user.token, { plan: 'startup' })).status).toBe(200)
  const { credit, date } = await upcoming(user.token)
  expect(credit).toBeGreaterThan(1200)
  await renew((Date.parse(date) - Date.now()) / 86_400_000)
  const shown = await upcoming(user.token)
  expect(shown.draft).toEqual({ total: 1200, amount: 0 })
  expect(shown.credit).toBe(credit - 1200)
  await sandbox.passDays(1 / 12)
  expect(await upcoming(user.token)).toMatchObject({ draft: null, credit: credit - 1200 })
})

test('an account that is closed before the charge is not charged for the renewal', async () => {
  const user = await on('scale')
  const customer = await customerOf(user.account_id)
  const now = (await sandbox.api('GET', '/sandbox/clock')) as unknown as { now: number } // as: the clock's reply
  await renew((Date.parse((await upcoming(user.token)).date) / 1000 - now.now) / 86_400)
  expect((await upcoming(user.token)).draft).toEqual({ total: 4900, amount: 4900 })
  expect((await call('DELETE', '/api/account', { token: user.token, body: { password } })).status).toBe(200)
  await expect
    .poll(() => sandbox.api('GET', `/v1/customers/${customer}`), { timeout: 20_000 })
    .toMatchObject({ deleted: true })
  await sandbox.passDays(1)
  expect(await invoicesOf(customer)).toEqual(['paid 0', 'draft 4900', 'paid 4900'])
})
