import { expect } from 'vitest'
import type { makeTestApp } from './harness.ts'
import { billingRows, type ownSandbox } from './payments.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>
type Sandbox = Awaited<ReturnType<typeof ownSandbox>>
export type Owner = {
  id: string
  email: string
  token: string
  account_id: string
  customer: string
  subscription: string
}
type Answer = { status: number; data: Record<string, unknown> | null; body: { code?: string } }

const declines = '4000000000000341'

/** Accounts, what support does to them at the provider, and what their owners do then. */
export function makeSupport({ call, people, db }: App, sandbox: Sandbox) {
  const { api, list } = sandbox

  async function quiet() {
    await sandbox.webhooksIdle()
    const open = async () =>
      (await db.asOwnerOfJobs('select 1 from payment_webhooks where handled_at is null')).rows.length
    await expect.poll(open, { timeout: 20_000 }).toBe(0)
  }

  async function subscriber(number?: string): Promise<Owner> {
    const user = await people.verified()
    const body = { plan: 'scale', token: await sandbox.card(number) }
    expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
    await quiet()
    const { account, subscription } = await billingRows(db, user.account_id)
    return {
      ...user,
      customer: String(account?.stripe_customer_id),
      subscription: String(subscription?.provider_sub_id),
    }
  }

  async function useCard({ customer, subscription }: Owner, number: string) {
    const card = await sandbox.card(number)
    await api('POST', `/v1/payment_methods/${card}/attach`, { customer })
    await api('POST', `/v1/subscriptions/${subscription}`, { default_payment_method: card })
  }

  /** An account whose renewals fail, each of which leaves an open invoice. */
  async function owing(months = 1): Promise<Owner> {
    await sandbox.settings({ dunning_final: 'past_due' })
    const owner = await subscriber()
    await useCard(owner, declines)
    const now = Math.floor(Date.now() / 1000)
    const clocks = '/v1/test_helpers/test_clocks'
    const clock = await api('POST', clocks, { frozen_time: String(now), customer: owner.customer })
    for (let month = 1; month <= months; month++)
      await api('POST', `${clocks}/${clock.id}/advance`, {
        frozen_time: String(now + (31 * month + 1) * 86_400),
      })
    await quiet()
    return owner
  }

  async function firstInvoice({ customer }: Owner, status: string): Promise<{ id: string }> {
    const [invoice] = await list('/v1/invoices', { customer, status })
    return { id: String(invoice?.id) }
  }

  const payment = async ({ customer }: Owner): Promise<string> =>
    String((await sandbox.ledger(customer)).paid[0]?.id)

  async function priceOf(lookupKey: string): Promise<string> {
    const [price] = await list('/v1/prices', { 'lookup_keys[0]': lookupKey })
    return String(price?.id)
  }

  /** What all customers of the account have paid, those that are deleted among them. */
  async function paid(owner: Owner): Promise<number> {
    const { account } = await billingRows(db, owner.account_id)
    const customers = new Set([owner.customer, String(account?.stripe_customer_id ?? owner.customer)])
    const ledgers = await Promise.all([...customers].map(one => sandbox.ledger(one)))
    return ledgers.flatMap(one => one.paid).reduce((sum, one) => sum + Number(one.amount), 0)
  }

  const clicks = {
    upgrade: async ({ token }: Owner, proration_date?: number) =>
      call('POST', '/api/account/upgrade', {
        token,
        body: { plan: 'startup_yearly', token: await sandbox.card(), proration_date },
      }),
    change: ({ token }: Owner, proration_date?: number) =>
      call('PATCH', '/api/account/plan', { token, body: { plan: 'startup_yearly', proration_date } }),
    card: async ({ token }: Owner) =>
      call('PATCH', '/api/account/card', { token, body: { token: await sandbox.card() } }),
    free: ({ token }: Owner) => call('PATCH', '/api/account/plan', { token, body: { plan: 'free' } }),
    invite: ({ token, account_id }: Owner) =>
      call('POST', '/api/invite', {
        token,
        body: { email: `new-${account_id}@test.plinth.example`, permission: 'user' },
      }),
  }

  return {
    quiet,
    subscriber,
    owing,
    useCard,
    firstInvoice,
    payment,
    clicks,

    state: async ({ token }: Owner) => (await call('GET', '/api/account/subscription', { token })).data,

    async changePrice({ subscription }: Owner, lookupKey: string) {
      const items = (await api('GET', `/v1/subscriptions/${subscription}`)).items as unknown as {
        data: { id: string; quantity?: number }[]
      } // as: the items of a subscription
      const fields: Record<string, string> = { proration_behavior: 'none' }
      for (const [at, { id, quantity }] of items.data.entries()) {
        fields[`items[${at}][id]`] = id
        if (quantity === undefined) fields[`items[${at}][deleted]`] = 'true'
        else fields[`items[${at}][price]`] = await priceOf(lookupKey)
      }
      await api('POST', `/v1/subscriptions/${subscription}`, fields)
    },

    addSubscription: async ({ customer, subscription }: Owner, lookupKey: string) => {
      const { default_payment_method } = await api('GET', `/v1/subscriptions/${subscription}`)
      return api('POST', '/v1/subscriptions', {
        customer,
        default_payment_method: String(default_payment_method),
        'items[0][price]': await priceOf(lookupKey),
      })
    },

    async detachCard({ subscription }: Owner) {
      const { default_payment_method: card } = await api('GET', `/v1/subscriptions/${subscription}`)
      await api('POST', `/v1/payment_methods/${card}/detach`)
    },

    async endDispute(owner: Owner, evidence: string) {
      const [dispute] = await list('/v1/disputes', { payment_intent: await payment(owner) })
      await api('POST', `/v1/disputes/${dispute?.id}`, { 'evidence[uncategorized_text]': evidence })
    },

    /** Runs one action as the owner. @returns status or code, the charged amount and the previewed amount */
    async click(owner: Owner, name: keyof typeof clicks) {
      const shown = await call('GET', '/api/account/plan/preview?plan=startup_yearly', { token: owner.token })
      const preview = (shown as Answer).data ?? {}
      const before = await paid(owner)
      const second = preview.proration_date
      const answer: Answer = await clicks[name](owner, typeof second === 'number' ? second : undefined)
      return {
        got: answer.status === 200 ? 200 : (answer.body.code ?? answer.status),
        charged: (await paid(owner)) - before,
        previewed: preview.due_now,
      }
    },
  }
}
