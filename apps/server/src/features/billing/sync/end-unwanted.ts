import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { markNotified } from '../mails/notification-store.ts'
import { endUnwantedSubscription } from './refund.ts'
import { sync } from './sync.ts'

/** Syncs a subscription, and ends it if its attempt failed or another subscription runs. */
export async function syncAndEndUnwanted(services: Services, accountId: string, subscription: string) {
  const snapshot = await sync(services, accountId, subscription)
  if (!snapshot) return null
  const { action } = snapshot
  const ended = action === 'orphan' || (action === 'extra' && snapshot.subscription.attemptId !== null)
  if (ended) {
    services.log.error(
      { subscription, account: accountId, action },
      'ended a subscription that belongs to no plan',
    )
    await endUnwantedSubscription(services, accountId, snapshot.subscription)
  }
  if (action === 'extra' && !ended) await recordSecondSubscription(services, accountId, subscription)
  return { ...snapshot, ended }
}

/**
 * Records a second subscription that was created by hand. Its charges are real, so it is neither applied nor
 * ended. The log warns the operator at every read, the audit log once.
 */
async function recordSecondSubscription(services: Services, accountId: string, subscription: string) {
  services.log.error(
    { account: accountId, subscription },
    'a second subscription runs at the payment provider: end one of the two there',
  )
  await services.withinAccount(accountId, async tx => {
    if (!(await lockAccount(tx, accountId))) return
    const notice = { account_id: accountId, kind: 'second_subscription', object_id: subscription } as const
    if (!(await markNotified(tx, { ...notice, sent_at: services.now() }))) return
    const by = { account_id: accountId, user_id: null, network: '' }
    await recordAudit(services, tx, { ...by, action: 'plan.second_subscription', target: subscription })
  })
}
