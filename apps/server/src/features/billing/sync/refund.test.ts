import { planOf } from '@plinth/contract/plans'
import { describe, expect, it, vi } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'
import { finishClosing } from '../closing/close-account.ts'
import { firstItems } from '../prices/catalogue.ts'
import { syncAndEndUnwanted } from './end-unwanted.ts'
import { endUnwantedSubscription, refundPayment } from './refund.ts'

// A separate sandbox, because planted faults must not hit other files.
const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { call, people, db, services } = made

type User = { email: string; token: string; account_id: string }

/** An account whose first plan never reached the provider. */
async function cutOff(): Promise<{ user: User; customer: string; attempt: string }> {
  const user = await people.verified()
  await sandbox.fault('POST /v1/subscriptions', '500', 4)
  const body = { plan: 'startup_yearly', token: await sandbox.card() }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(503)
  await sandbox.clearFaults()
  const { account, attempts } = await billingRows(db, user.account_id)
  return { user, customer: String(account?.stripe_customer_id), attempt: String(attempts[0]?.id) }
}

/**
 * Lets the failed call reach the provider after all, and charges it.
 * @returns the subscription's id
 */
async function arrivesLate({ user, customer, attempt }: Awaited<ReturnType<typeof cutOff>>) {
  const { attempts } = await billingRows(db, user.account_id)
  const late = await services.integrations.payments.createSubscription({
    customer,
    card: String(attempts[0]?.card_id),
    items: await firstItems(services, planOf('startup_yearly'), 1),
    trialDays: 0,
    promotion: null,
    metadata: { account_id: user.account_id, attempt_id: attempt },
    key: `${attempt} late`,
  })
  expect(late.status).toBe('active')
  return late.id
}

const refunds = async (customer: string) => {
  const payments = await sandbox.list('/v1/payment_intents', { customer })
  const each = await Promise.all(
    payments.map(one => sandbox.list('/v1/refunds', { payment_intent: String(one.id) })),
  )
  return { paid: payments.map(one => Number(one.amount)), back: each.flat().map(one => Number(one.amount)) }
}
const noted = async (account: string) =>
  (
    await db.asOwnerOfJobs(
      "select metadata from audit_log where account_id = $1 and action = 'plan.refunded'",
      [account],
    )
  ).rows
const mails = async (to: string) => {
  const found = (await sandbox.api('GET', '/sandbox/inbox', { to })).data as unknown as { subject: string }[] // as: the sandbox's answer
  return found.filter(one => one.subject.startsWith('We’ve refunded'))
}

const price = planOf('startup_yearly').price
const [whole] = [`$${(price / 100).toFixed(2)}`]

describe('a payment without a plan is refunded [F-01] [T-62]', () => {
  it('paid after its attempt was rolled back: refunded, recorded and mailed once', async () => {
    const cut = await cutOff()
    const { user, customer, attempt } = cut
    await settleAttempt(services, { account_id: user.account_id, attempt_id: attempt })
    expect((await billingRows(db, user.account_id)).attempts).toMatchObject([{ state: 'failed' }])
    const late = await arrivesLate(cut)
    // The webhook and the nightly job may both find it.
    await Promise.all([
      syncAndEndUnwanted(services, user.account_id, late),
      syncAndEndUnwanted(services, user.account_id, late),
    ])
    await expect.poll(() => refunds(customer), { timeout: 20_000 }).toEqual({ paid: [price], back: [price] })
    await expectMail(made, user.email, `We’ve refunded ${whole}`)
    const [payment] = await sandbox.list('/v1/payment_intents', { customer })
    const again = {
      account_id: user.account_id,
      payment_id: String(payment?.id),
      amount: price,
      currency: 'usd',
    }
    await refundPayment(services, again)
    expect(await refunds(customer)).toEqual({ paid: [price], back: [price] })
    expect(await noted(user.account_id)).toEqual([{ metadata: { name: whole } }])
    expect(await mails(user.email)).toHaveLength(1)
    expect((await sandbox.ledger(customer)).standing).toEqual([])
    expect((await billingRows(db, user.account_id)).account?.plan).toBeNull()
  })

  it('a crash between the refund job and the end of the subscription loses neither', async () => {
    const cut = await cutOff()
    const { user, customer, attempt } = cut
    await settleAttempt(services, { account_id: user.account_id, attempt_id: attempt })
    const late = await arrivesLate(cut)
    const stop = vi
      .spyOn(services.integrations.payments, 'cancelSubscription')
      .mockRejectedValueOnce(new Error('stop'))
    await expect(syncAndEndUnwanted(services, user.account_id, late)).rejects.toThrow('stop')
    stop.mockRestore()
    await syncAndEndUnwanted(services, user.account_id, late)
    await expect.poll(() => refunds(customer), { timeout: 20_000 }).toEqual({ paid: [price], back: [price] })
    expect((await sandbox.ledger(customer)).standing).toEqual([])
  })

  it('paid while its attempt is open: the plan is in force, no refund', async () => {
    const cut = await cutOff()
    const { user, customer, attempt } = cut
    await arrivesLate(cut)
    await settleAttempt(services, { account_id: user.account_id, attempt_id: attempt })
    expect((await billingRows(db, user.account_id)).account?.plan).toBe('startup_yearly')
    expect(await refunds(customer)).toEqual({ paid: [price], back: [] })
  })

  it('after a rollback the bank has nothing left to confirm', async () => {
    const user = await people.verified()
    const body = { plan: 'startup_yearly', token: await sandbox.card('4000002760003184') }
    const due = await call('POST', '/api/account/plan', { token: user.token, body })
    expect(
      (await call('POST', '/api/account/plan', { token: user.token, body: { plan: 'free' } })).status,
    ).toBe(200)
    await expect(sandbox.bank(String(due.data.client_secret), 'complete')).rejects.toThrow()
    const { account } = await billingRows(db, user.account_id)
    expect((await sandbox.ledger(invariant(account, 'the account').stripe_customer_id ?? null)).paid).toEqual(
      [],
    )
  })

  it('a crash with an open attempt fails it: no plan results from refunded money', async () => {
    const cut = await cutOff()
    const { user, customer, attempt } = cut
    const late = invariant(
      await services.integrations.payments.readSubscription(await arrivesLate(cut)),
      'what arrived',
    )
    const stop = vi
      .spyOn(services.integrations.payments, 'cancelSubscription')
      .mockRejectedValueOnce(new Error('stop'))
    await expect(endUnwantedSubscription(services, user.account_id, late)).rejects.toThrow('stop')
    stop.mockRestore()
    await settleAttempt(services, { account_id: user.account_id, attempt_id: attempt })
    await syncAndEndUnwanted(services, user.account_id, late.id)
    await expect.poll(() => refunds(customer), { timeout: 20_000 }).toEqual({ paid: [price], back: [price] })
    expect((await sandbox.ledger(customer)).standing).toEqual([])
    const { account, attempts } = await billingRows(db, user.account_id)
    expect([account?.plan, attempts.map(({ state }) => state)]).toEqual([null, ['failed']])
  })

  it.each(['given up before', 'still open'])('paid while the account is closed: refunded (%s)', async how => {
    const cut = await cutOff()
    const { user, customer, attempt } = cut
    if (how === 'given up before')
      await settleAttempt(services, { account_id: user.account_id, attempt_id: attempt })
    await arrivesLate(cut)
    const closed = await call('DELETE', '/api/account', { token: user.token, body: { password } })
    expect(closed.status).toBe(200)
    await finishClosing(services, { account_id: user.account_id })
    await expect.poll(() => refunds(customer), { timeout: 20_000 }).toEqual({ paid: [price], back: [price] })
  })
})
