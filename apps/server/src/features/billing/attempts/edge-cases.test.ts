import { describe, expect, it, onTestFinished } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, ownSandbox } from '../../../../test/payments.ts'
import type { Payments } from '../../../integrations/stripe/payments.ts'
import * as attemptStore from '../core/attempt-store.ts'
import { requeueAttempts, withLease } from './lease.ts'

// A separate sandbox, because this test changes its objects.
const sandbox = await ownSandbox()
const { call, people, db, services } = await makeTestApp(sandbox.env)
const choose = (token: string, body: Record<string, unknown>) =>
  call('POST', '/api/account/plan', { token, body })

/** Replaces replies of the provider for the length of a test. */
function answering(part: Partial<Payments>) {
  const real = services.integrations.payments
  services.integrations.payments = { ...real, ...part }
  onTestFinished(() => {
    services.integrations.payments = real
  })
}
const ledgerOf = async (account: string) =>
  sandbox.ledger((await billingRows(db, account)).account?.stripe_customer_id ?? null)

async function waiting(account: string): Promise<number> {
  const { rows } = await db.asOwnerOfJobs(
    "select 1 from pgboss.job where name = 'billing.settle' and data->>'account_id' = $1 and state in ('created', 'retry')",
    [account],
  )
  return rows.length
}

/** An account whose attempt waits for the bank. */
async function atTheBank() {
  const user = await people.verified()
  const card = await sandbox.card('4000002760003184')
  expect((await choose(user.token, { plan: 'startup_yearly', token: card })).data).toMatchObject({
    requires_payment_action: true,
  })
  return user
}

describe('the settle job and the lease', () => {
  it('five starts of a server queue one settle job beside the planned one', async () => {
    const user = await atTheBank()
    expect(await waiting(user.account_id)).toBe(1)
    for (let start = 0; start < 5; start++) await requeueAttempts(services, false)
    expect(await waiting(user.account_id)).toBe(2)
  })

  it('a late heartbeat does not take the released lease again', async () => {
    const user = await atTheBank()
    const { attempts } = await billingRows(db, user.account_id)
    const attempt = await services.withinAccount(user.account_id, tx =>
      attemptStore.findAttempt(tx, user.account_id, String(attempts[0]?.id)),
    )
    if (!attempt) throw new Error('No attempt')
    // Holds the heartbeat's transaction back until the work is done and the lease is being released.
    const late = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let calls = 0
    const slow: typeof services = {
      ...services,
      withinAccount(account, run) {
        if (++calls > 1) return services.withinAccount(account, run)
        begun.resolve()
        return late.promise.then(() => services.withinAccount(account, run))
      },
    }
    const done = withLease(slow, attempt, () => begun.promise)
    await begun.promise
    setImmediate(late.resolve)
    await done
    const after = (await billingRows(db, user.account_id)).attempts[0]
    expect(after?.busy_until).toBeNull()
  })
})

describe('a card without a fingerprint', () => {
  it('gets no trial and leaves nothing at the provider', async () => {
    const user = await people.verified()
    const { saveCard } = services.integrations.payments
    answering({ saveCard: async (...args) => ({ ...(await saveCard(...args)), fingerprint: null }) })
    const answer = await choose(user.token, { plan: 'startup', token: await sandbox.card(freshNumber()) })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'invalid_input', inputError: 'token' })
    expect(await ledgerOf(user.account_id)).toEqual({ standing: [], paid: [] })
    expect((await billingRows(db, user.account_id)).account).toMatchObject({ plan: null, trialed_at: null })
  })
})

describe('a card for a plan whose payment is due', () => {
  it.each(['requires_payment_method', 'requires_action'])(
    'is refused instead of ignored: %s',
    async status => {
      const user = await people.verified()
      await choose(user.token, { plan: 'startup_yearly', token: await sandbox.card() })
      await db.asOwnerOfJobs('update subscriptions set status = $2 where account_id = $1', [
        user.account_id,
        status,
      ])
      const answer = await choose(user.token, { plan: 'startup_yearly', token: await sandbox.card() })
      expect(answer).toMatchObject({ status: 409, body: { code: 'plan_taken', inputError: 'plan' } })
      const asked = await choose(user.token, { plan: 'startup_yearly' })
      expect(asked.data).toMatchObject({ plan: 'startup_yearly', subscription: status })
      expect((await ledgerOf(user.account_id)).paid).toHaveLength(1)
    },
  )
})

describe('an unknown price', () => {
  it('a paid subscription at an unknown price leaves the attempt open', async () => {
    const user = await people.verified()
    const { readSubscription } = services.integrations.payments
    answering({
      readSubscription: async id => {
        const found = await readSubscription(id)
        return found && { ...found, planKey: null, lookupKey: 'of_somebody_else' }
      },
    })
    const answer = await choose(user.token, { plan: 'startup_yearly', token: await sandbox.card() })
    expect(answer.status).toBe(500)
    expect((await billingRows(db, user.account_id)).attempts).toMatchObject([{ state: 'started' }])
  })
})
