import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { makeSupport, type Owner } from '../../../../test/support-actions.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { sync } from '../sync/sync.ts'

// No message of the provider arrives here: what support did is found by the next click, or at night.
const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { services, db, call } = made
const support = makeSupport(made, sandbox)

const endsIt: Record<string, (owner: Owner) => Promise<unknown>> = {
  'deleted the customer': ({ customer }) => sandbox.api('DELETE', `/v1/customers/${customer}`),
  'canceled at once': ({ subscription }) => sandbox.api('DELETE', `/v1/subscriptions/${subscription}`),
}

describe.each(Object.entries(endsIt))('support %s, unseen', (_title, act) => {
  it.each(['upgrade', 'change', 'choose'] as const)(
    '%s with a new card brings the plan at the first click',
    async how => {
      const owner = await support.subscriber()
      await act(owner)
      const { token } = owner
      const shown = await call('GET', '/api/account/plan/preview?plan=startup_yearly', { token })
      const body = { plan: 'startup_yearly', token: await sandbox.card(), quote: shown.data.quote }
      const calls = {
        upgrade: () => call('POST', '/api/account/upgrade', { token, body }),
        change: () => call('PATCH', '/api/account/plan', { token, body }),
        choose: () => call('POST', '/api/account/plan', { token, body }),
      }
      expect(await calls[how]()).toMatchObject({
        status: 200,
        data: { plan: 'startup_yearly', subscription: 'active' },
      })
      const { account } = await billingRows(db, owner.account_id)
      const { standing, paid } = await sandbox.ledger(String(account?.stripe_customer_id))
      expect(standing).toHaveLength(1)
      expect(paid.at(0)).toMatchObject({ amount: 12_000 })
    },
  )
})

describe('a customer that support deleted', () => {
  it('may be deleted again and again: each time the next purchase makes a new one', async () => {
    const owner = await support.subscriber()
    for (let count = 0; count < 3; count++) {
      const { account } = await billingRows(db, owner.account_id)
      await sandbox.api('DELETE', `/v1/customers/${account?.stripe_customer_id}`)
      const body = { plan: 'scale', token: await sandbox.card() }
      const answer = await call('POST', '/api/account/upgrade', { token: owner.token, body })
      expect(answer.status).toBe(200)
    }
    const { data } = await call('GET', '/api/account/invoice', { token: owner.token })
    expect(data.map((one: { status: string }) => one.status)).toEqual(Array(4).fill('paid'))
    const oldest = `5.${data.at(-1).id}`
    const rest = await call('GET', `/api/account/invoice?cursor=${oldest}`, { token: owner.token })
    expect([rest.data, rest.body.page.next]).toEqual([[], null])
  })

  it('is found at night: the account is canceled, and nothing of it is lost', async () => {
    const owner = await support.subscriber()
    await sandbox.api('DELETE', `/v1/customers/${owner.customer}`)
    await reconcile(services, null)
    expect(await support.state(owner)).toMatchObject({ status: 'canceled', plan: 'scale' })
    expect((await billingRows(db, owner.account_id)).account?.stripe_customer_id).toBeNull()
    const { data } = await call('GET', '/api/account/invoice', { token: owner.token })
    expect(data).toHaveLength(1)
  })

  it('that the provider has never had is kept by the job: the keys may be of another account', async () => {
    const owner = await support.subscriber()
    await db.asOwnerOfJobs("update accounts set stripe_customer_id = 'cus_unknown' where id = $1", [
      owner.account_id,
    ])
    await reconcile(services, null)
    expect((await billingRows(db, owner.account_id)).account?.stripe_customer_id).toBe('cus_unknown')
  })
})

describe('an invoice that support voided, unseen', () => {
  it('does not hold back a change of plan', async () => {
    const owner = await support.owing()
    const { id } = await support.firstInvoice(owner, 'open')
    await sync(services, owner.account_id, owner.subscription)
    await sandbox.api('POST', `/v1/invoices/${id}/void`)
    await support.useCard(owner, '4242424242424242')
    const answer = await call('PATCH', '/api/account/plan', {
      token: owner.token,
      body: { plan: 'startup_yearly' },
    })
    expect(answer).toMatchObject({ status: 200, data: { plan: 'startup_yearly' } })
  })

  it('a new card is saved, and charged nothing', async () => {
    const owner = await support.owing()
    await sync(services, owner.account_id, owner.subscription)
    const { id } = await support.firstInvoice(owner, 'open')
    await sandbox.api('POST', `/v1/invoices/${id}/void`)
    expect(await support.click(owner, 'card')).toMatchObject({ got: 200, charged: 0 })
    expect(await support.state(owner)).toMatchObject({ status: 'active' })
  })
})
