import type { makeTestApp } from './harness.ts'
import { paymentsOf } from './payments.ts'
import { plansOf } from './plans.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>

/** The sensitive calls of billing, with their expected audit entry and mail. @param sandbox its origin */
export function billingCases(made: App, sandbox: string) {
  const payments = paymentsOf(sandbox)
  const { on, choose, change, upgrade, replace, subscription } = plansOf(made, payments)
  type User = { email: string; account_id: string }
  type Answer = { status: number; text?: string }
  const traceOf = ({ account_id, email }: User, answer: Answer, action: string, subject: string) => {
    const mails: [to: string, subject: string][] = [[email, subject]]
    return { answer, audit: { accounts: [account_id], action }, mails }
  }
  return {
    async 'POST /api/account/plan'() {
      const user = await made.people.verified()
      const answer = await choose(user.token, { plan: 'startup', token: await payments.card() })
      return traceOf(user, answer, 'plan.changed', 'Your plan is now Startup')
    },
    async 'PATCH /api/account/plan'() {
      const user = await on('scale')
      const answer = await change(user.token, { plan: 'free' })
      const { current_period_end } = await subscription(user.token)
      const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
      const subject = `Your Scale plan ends on ${day.format(new Date(current_period_end))} (UTC)`
      return traceOf(user, answer, 'plan.end_planned', subject)
    },
    async 'PATCH /api/account/plan, and back'() {
      const user = await on('scale')
      await change(user.token, { plan: 'free' })
      return traceOf(
        user,
        await change(user.token, { plan: 'scale' }),
        'plan.end_undone',
        'Your plan is now Scale',
      )
    },
    async 'POST /api/account/upgrade'() {
      const user = await on('scale')
      const answer = await upgrade(user.token, { plan: 'startup_yearly', token: await payments.card() })
      return traceOf(user, answer, 'card.changed', 'Your plan is now Startup yearly')
    },
    async 'PATCH /api/account/card'() {
      const user = await on('scale')
      const answer = await replace(user.token, { token: await payments.card() })
      return traceOf(user, answer, 'card.changed', 'Your card was replaced')
    },
  }
}
