import type { AuditAction } from '@plinth/contract/audit-actions'
import { formatMoney } from '@plinth/contract/money'
import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { findAccountOfCustomer } from '../core/customer-store.ts'
import { markNotified, type NotificationKind } from '../mails/notification-store.ts'

type Entry = {
  kind: NotificationKind
  object_id: string
  action: AuditAction
  amount: number
  currency: string
  customer: string | null
}

/**
 * Records in the audit log what support or a cardholder did to a payment at the provider, from a fresh read.
 */
export async function recordProviderEvent(services: Services, type: string, id: string): Promise<void> {
  const entry = await readEntry(services, type, id)
  if (!entry?.customer) return
  const { customer } = entry
  const account = await services.asSystem('find the account of a payment', tx =>
    findAccountOfCustomer(tx, customer),
  )
  if (account) await record(services, account.id, entry)
}

async function readEntry(services: Services, type: string, id: string): Promise<Entry | null> {
  const { payments } = services.integrations
  switch (type) {
    case 'refund.created': {
      const { isOurs, ...refund } = await payments.readRefund(id)
      return isOurs ? null : { ...refund, kind: 'refund', object_id: id, action: 'plan.payment_refunded' }
    }
    case 'credit_note.created':
      return {
        ...(await payments.readCreditNote(id)),
        kind: 'credit_note',
        object_id: id,
        action: 'plan.credited',
      }
    case 'charge.dispute.created':
      return { ...(await payments.readDispute(id)), kind: 'dispute', object_id: id, action: 'plan.disputed' }
    case 'charge.dispute.closed': {
      const { status, ...dispute } = await payments.readDispute(id)
      if (status === 'open') return null
      const action = status === 'won' ? 'plan.dispute_won' : 'plan.dispute_lost'
      return { ...dispute, kind: 'dispute_closed', object_id: id, action }
    }
    default:
      return null
  }
}

async function record(
  services: Services,
  accountId: string,
  { kind, object_id, action, amount, currency }: Entry,
) {
  const isNew = await services.withinAccount(accountId, async tx => {
    if (!(await lockAccount(tx, accountId))) return false
    if (!(await markNotified(tx, { account_id: accountId, kind, object_id, sent_at: services.now() })))
      return false
    const metadata = { name: formatMoney('en', amount, currency) }
    const by = { account_id: accountId, user_id: null, network: '' }
    await recordAudit(services, tx, { ...by, action, target: object_id, metadata })
    return true
  })
  // Only the operator can answer a dispute before its deadline.
  if (isNew && kind === 'dispute')
    services.log.error({ account: accountId, dispute: object_id, amount, currency }, 'a payment is disputed')
}
