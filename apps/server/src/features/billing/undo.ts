import type { RefusalCode } from '@plinth/contract/refusals'
import type { World } from '../../context.ts'
import { must } from '../../lib/must.ts'
import { lockAccount } from '../accounts/standing.ts'
import { isRunning } from './rules.ts'
import * as store from './store.ts'
import { sync } from './sync.ts'

/** How far an attempt has come. `pending`: the provider itself is not done yet. */
export type Outcome =
  | { kind: 'done'; status: string }
  | { kind: 'action'; client_secret: string; confirms: 'payment' | 'setup' }
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'pending' }

/**
 * Takes back whatever an attempt left at the provider, then closes it. If the provider has meanwhile finished it
 * after all, it is done, not undone: nothing is ever both paid and refused.
 * @param code the refusal that the visitor is told
 */
export async function undo(world: World, attempt: store.Attempt, code: RefusalCode): Promise<Outcome> {
  const { payments } = world.outside
  const { account_id } = attempt
  const { stripe_customer_id } = await world.withinAccount(account_id, tx =>
    store.findAccount(tx, account_id),
  )
  const standing = stripe_customer_id ? await payments.subscriptionsOf(stripe_customer_id) : []
  for (const mine of standing.filter(one => one.attemptId === attempt.id)) {
    const paid = isRunning(mine.status) || !(await payments.withdraw(mine))
    const seen = paid ? await sync(world, account_id, mine.id) : null
    if (seen && (seen.verdict === 'record' || seen.verdict === 'update'))
      return { kind: 'done', status: seen.status }
    if (seen) await payments.cancelSubscription(mine.id)
  }
  if (attempt.setup_intent_id) {
    const setup = await payments.readSetup(attempt.setup_intent_id)
    if (setup.status === 'requires_action' || setup.status === 'refused') await payments.cancelSetup(setup.id)
  }
  await close(world, attempt, code)
  return { kind: 'refused', code }
}

async function close(world: World, attempt: store.Attempt, code: RefusalCode) {
  const { account_id } = attempt
  await world.asSystem('end an attempt to pay', async tx => {
    const account = must(await lockAccount(tx, account_id), 'the account')
    const now = world.now()
    if (!(await store.endAttempt(tx, attempt, { state: 'failed', failure: code, updated_at: now }))) return
    // The trial that was not had is still to be had, by this account and this card.
    if (!account.trialed_at) await store.releaseTrial(tx, account_id)
    // The card has had its trial elsewhere: from now on this account is offered none.
    if (code === 'trial_used')
      await store.updateAccount(tx, account_id, { trialed_at: account.trialed_at ?? now })
  })
}
