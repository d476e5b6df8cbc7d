import type { Contract, Reply } from '@plinth/contract'
import { billingDay } from '../../../lib/i18n/format.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'

export type Subscription = Reply<Contract['billing']['subscription']>
type Status = Pick<Subscription, 'status'>

export const isRunning = ({ status }: Status): boolean => status === 'active' || status === 'trialing'

/** A payment is due: the card was declined, or the bank waits for a confirmation. */
export const isDue = ({ status }: Status): boolean =>
  status === 'requires_payment_method' || status === 'requires_action'

export function planEndText({ current_period_end: end }: Subscription, t: Translate): string {
  return end ? t('billing.now.ends', { date: billingDay(end) }) : t('billing.now.ends_soon')
}
