import { beforeEach, describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, type Fault, ownSandbox } from '../../../../test/payments.ts'
import { openPayments } from '../../../integrations/stripe/payments.ts'
import { confirmationSeconds } from '../attempts/rules.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'

// A separate sandbox, because planted faults must not hit other files.
const sandbox = await ownSandbox()
const { call, people, db, services, config, clock } = await makeTestApp(sandbox.env)

beforeEach(() => sandbox.clearFaults())

const plan = 'startup_yearly'
const choose = (token: string, card: string, wanted = plan) =>
  call('POST', '/api/account/plan', { token, body: { plan: wanted, token: card } })

// The first subscription makes the sandbox compile its schema, which may take longer than the timeout of these tests.
await choose((await people.verified()).token, await sandbox.card())
services.integrations.payments = openPayments({ ...config.payments, guard: () => {}, timeoutMs: 1500 })

async function standOf(account: string) {
  const rows = await billingRows(db, account)
  const ledger = await sandbox.ledger(rows.account?.stripe_customer_id ?? null)
  return { ...rows, ...ledger }
}

/** Takes the waiting settle job and runs it, as a worker does. */
async function settle(account: string) {
  const { attempts } = await billingRows(db, account)
  await db.asOwnerOfJobs(
    "update pgboss.job set state = 'completed' where name = 'billing.settle' and data->>'account_id' = $1 and state = 'created'",
    [account],
  )
  const last = attempts.at(-1)
  await settleAttempt(services, { account_id: account, attempt_id: String(last?.id) })
}

/** The number of waiting settle jobs. */
async function looksAt(account: string): Promise<number> {
  const { rows } = await db.asOwnerOfJobs(
    "select 1 from pgboss.job where name = 'billing.settle' and data->>'account_id' = $1 and state in ('created', 'retry')",
    [account],
  )
  return rows.length
}

describe('one failed call of the provider is retried unnoticed [F-05] [call:POST /api/account/plan]', () => {
  it.each<Fault>(['500', '409', '429', 'timeout', 'drop_after_commit', 'garbage'])('%s', async kind => {
    const user = await people.verified()
    await sandbox.fault('POST /v1/subscriptions', kind)
    const answer = await choose(user.token, await sandbox.card())
    expect(answer.data).toMatchObject({ plan, subscription: 'active' })
    const { standing, paid } = await standOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
  })
})

describe('the provider is down: a clear refusal, then a retry pays once [F-05] [T-62]', () => {
  const away: [string, Fault][] = [
    ['POST /v1/customers', '500'],
    ['POST /v1/customers', 'drop_after_commit'],
    ['POST /v1/payment_methods', 'timeout'],
    ['POST /v1/payment_methods', 'drop_after_commit'],
    ['GET /v1/prices', '500'],
    ['GET /v1/subscriptions?', '500'],
    ['POST /v1/subscriptions', '500'],
    ['POST /v1/subscriptions', '409'],
    ['POST /v1/subscriptions', '429'],
    ['POST /v1/subscriptions', 'timeout'],
    ['POST /v1/subscriptions', 'drop_after_commit'],
    ['POST /v1/subscriptions', 'garbage'],
    ['GET /v1/subscriptions/', '500'],
    ['GET /v1/subscriptions/', 'garbage'],
  ]
  it.each(away)('%s, %s', async (match, kind) => {
    const user = await people.verified()
    const card = await sandbox.card()
    services.integrations.payments.clearPriceCache()
    // The SDK and our client each retry a broken connection once.
    await sandbox.fault(match.replace('?', ''), kind, 4)
    const answer = await choose(user.token, card)
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ code: 'payment_provider_down' })
    expect((await billingRows(db, user.account_id)).account?.plan).toBeNull()
    await sandbox.clearFaults()
    const again = await choose(user.token, card)
    expect(again.data).toMatchObject({ plan, subscription: 'active' })
    const after = await standOf(user.account_id)
    expect([after.standing.length, after.paid.length, after.attempts.length]).toEqual([1, 1, 1])
  })

  it('a retry with another card does not charge the first one', async () => {
    const user = await people.verified()
    await sandbox.fault('POST /v1/subscriptions', '500', 4)
    expect((await choose(user.token, await sandbox.card())).status).toBe(503)
    await sandbox.clearFaults()
    const again = await choose(user.token, await sandbox.card('5555555555554444'))
    expect(again.data).toMatchObject({ subscription: 'active' })
    const { standing, paid, attempts } = await standOf(user.account_id)
    expect([standing.length, paid.length]).toEqual([1, 1])
    expect(attempts).toMatchObject([{ state: 'failed' }, { state: 'done' }])
  })

  it('the same for a trial', async () => {
    const user = await people.verified()
    const card = await sandbox.card('4000056655665556')
    await sandbox.fault('POST /v1/setup_intents', 'drop_after_commit', 4)
    expect((await choose(user.token, card, 'startup')).status).toBe(503)
    await sandbox.clearFaults()
    expect((await choose(user.token, card, 'startup')).data).toMatchObject({ subscription: 'trialing' })
    expect((await standOf(user.account_id)).standing).toHaveLength(1)
  })
})

describe('the settle job finishes an interrupted attempt: all or nothing [F-01]', () => {
  it('all, when the provider had completed it', async () => {
    const user = await people.verified()
    await sandbox.fault('POST /v1/subscriptions', 'drop_after_commit', 4)
    expect((await choose(user.token, await sandbox.card())).status).toBe(503)
    await sandbox.clearFaults()
    await settle(user.account_id)
    const { account, subscription, attempts, standing, paid } = await standOf(user.account_id)
    expect(account).toMatchObject({ plan })
    expect(subscription).toMatchObject({ status: 'active', provider_sub_id: standing[0]?.id })
    expect(attempts).toMatchObject([{ state: 'done' }])
    expect([standing.length, paid.length]).toEqual([1, 1])
  })

  it('nothing, when it had not; and the next call works', async () => {
    const user = await people.verified()
    await sandbox.fault('POST /v1/subscriptions', '500', 4)
    expect((await choose(user.token, await sandbox.card())).status).toBe(503)
    await sandbox.clearFaults()
    await settle(user.account_id)
    const { account, attempts, standing, paid } = await standOf(user.account_id)
    expect(account?.plan).toBeNull()
    expect(attempts).toMatchObject([{ state: 'failed', failure: 'payment_provider_down' }])
    expect([standing.length, paid.length]).toEqual([0, 0])
    expect((await choose(user.token, await sandbox.card())).status).toBe(200)
  })

  it('a declined payment is rolled back', async () => {
    const user = await people.verified()
    await sandbox.fault('GET /v1/subscriptions/', '500', 4)
    expect((await choose(user.token, await sandbox.card('4000000000000341'))).status).toBe(503)
    await sandbox.clearFaults()
    expect((await standOf(user.account_id)).standing).toMatchObject([{ status: 'incomplete' }])
    await settle(user.account_id)
    const { attempts, standing } = await standOf(user.account_id)
    expect(attempts).toMatchObject([{ state: 'failed', failure: 'card_declined' }])
    expect(standing).toEqual([])
  })

  it('a payment confirmed at the bank counts when the browser never comes back', async () => {
    const user = await people.verified()
    const due = await choose(user.token, await sandbox.card('4000002760003184'))
    await sandbox.bank(due.data.client_secret, 'complete')
    await settle(user.account_id)
    expect(await standOf(user.account_id)).toMatchObject({ account: { plan }, attempts: [{ state: 'done' }] })
  })

  it('a trial card confirmed at the bank counts when the browser never comes back', async () => {
    const user = await people.verified()
    const due = await choose(user.token, await sandbox.card('4000002500003155'), 'startup')
    await sandbox.bank(due.data.client_secret, 'complete')
    await settle(user.account_id)
    expect(await standOf(user.account_id)).toMatchObject({
      account: { plan: 'startup' },
      subscription: { status: 'trialing' },
    })
  })

  it('while the provider is down, the job checks again later', async () => {
    const user = await people.verified()
    await sandbox.fault('POST /v1/subscriptions', '500', 4)
    await choose(user.token, await sandbox.card())
    await sandbox.clearFaults()
    await sandbox.fault('GET /v1/subscriptions', '500', 4)
    await settle(user.account_id)
    expect((await billingRows(db, user.account_id)).attempts).toMatchObject([{ state: 'started' }])
    expect(await looksAt(user.account_id)).toBe(1)
  })

  it('while another process holds the lease, the job checks again later', async () => {
    const user = await people.verified()
    await choose(user.token, await sandbox.card('4000002760003184'))
    await db.asOwnerOfJobs(
      "update billing_attempts set busy_until = now() + interval '1 minute' where account_id = $1",
      [user.account_id],
    )
    await settle(user.account_id)
    expect(await looksAt(user.account_id)).toBe(1)
  })

  it('after 23 hours without confirmation nothing is left', async () => {
    const user = await people.verified()
    const due = await choose(user.token, await sandbox.card('4000002760003184'))
    const trial = await people.verified()
    const dueTrial = await choose(trial.token, await sandbox.card('4000002760003184'), 'startup')
    for (const account of [user.account_id, trial.account_id]) {
      await settle(account)
      expect((await billingRows(db, account)).attempts).toMatchObject([
        { state: 'action_required', busy_until: null },
      ])
      expect(await looksAt(account)).toBe(1)
    }
    clock.add((confirmationSeconds + 60) * 1000)
    for (const account of [user.account_id, trial.account_id]) {
      await settle(account)
      const { attempts, standing, trialCards } = await standOf(account)
      expect(attempts).toMatchObject([{ state: 'failed', failure: 'payment_not_authorized' }])
      expect([standing.length, trialCards.length]).toEqual([0, 0])
    }
    for (const secret of [due.data.client_secret, dueTrial.data.client_secret]) {
      await expect(sandbox.bank(secret, 'complete')).rejects.toThrow()
    }
  })
})
