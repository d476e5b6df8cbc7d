import { expect } from 'vitest'
import type { makeTestApp } from './harness.ts'
import { billingRows, type paymentsOf } from './payments.ts'

type Made = Awaited<ReturnType<typeof makeTestApp>>
type Payments = ReturnType<typeof paymentsOf>
type Body = Record<string, unknown>

/** Calls of the billing endpoints, and their results at the provider and in our rows. */
export function plansOf({ call, people, db }: Pick<Made, 'call' | 'people' | 'db'>, payments: Payments) {
  const customerOf = async (account: string): Promise<string> =>
    String((await billingRows(db, account)).account?.stripe_customer_id)

  return {
    customerOf,
    choose: (token: string, body: Body) => call('POST', '/api/account/plan', { token, body }),
    change: (token: string, body: Body) => call('PATCH', '/api/account/plan', { token, body }),
    upgrade: (token: string, body: Body) => call('POST', '/api/account/upgrade', { token, body }),
    replace: (token: string, body: Body) => call('PATCH', '/api/account/card', { token, body }),
    preview: async (token: string, plan: string, code?: string) =>
      (
        await call('GET', `/api/account/plan/preview?plan=${plan}${code ? `&promotion_code=${code}` : ''}`, {
          token,
        })
      ).data,
    subscription: async (token: string) => (await call('GET', '/api/account/subscription', { token })).data,

    /** An account with a running plan. */
    async on(plan: string, card?: string) {
      const user = await people.verified()
      const body = { plan, token: await payments.card(card) }
      const answer = await call('POST', '/api/account/plan', { token: user.token, body })
      if (answer.data.requires_payment_action) {
        const { client_secret, kind } = answer.data
        const intent = await payments.bank(client_secret, 'complete')
        await call('POST', '/api/account/plan', {
          token: user.token,
          body: { ...body, [`${kind}_intent`]: intent },
        })
      }
      const { subscription } = await billingRows(db, user.account_id)
      expect(subscription).toMatchObject({ plan })
      return { ...user, subscription: String(subscription?.provider_sub_id) }
    },

    /** Payments in minor units, newest first. */
    async paid(account: string): Promise<number[]> {
      const { paid } = await payments.ledger(await customerOf(account))
      return paid.map(one => Number(one.amount))
    },

    /** The only live subscription at the provider. */
    async standing(account: string) {
      const { standing } = await payments.ledger(await customerOf(account))
      expect(standing).toHaveLength(1)
      return standing[0] as unknown as {
        id: string
        status: string
        pending_update: unknown
        cancel_at: number | null
        default_payment_method: string
        items: { data: { quantity?: number; price: { lookup_key: string } }[] }
      } // as: tests say what they expect of it
    },

    async cards(account: string): Promise<string[]> {
      const customer = await customerOf(account)
      const cards = await payments.list(`/v1/customers/${customer}/payment_methods`, {})
      return cards.map(card => String((card.card as unknown as { last4: string }).last4)) // as: a card of the provider
    },

    async openInvoices(account: string) {
      return payments.list('/v1/invoices', { customer: await customerOf(account), status: 'open' })
    },

    /** Audit entries about plans and cards, oldest first. */
    async noted(account: string): Promise<string[]> {
      const { rows } = await db.asOwnerOfJobs(
        "select action, target from audit_log where account_id = $1 and (action like 'plan.%' or action = 'card.changed') order by created_at, id",
        [account],
      )
      return (rows as { action: string; target: string }[]).map(row => `${row.action} ${row.target}`.trim()) // as: the two columns asked for
    },

    attempts: async (account: string) =>
      (await billingRows(db, account)).attempts.filter(row => row.kind !== 'first'),
  }
}
