import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { TextLink } from '../../ui/Link.tsx'
import { cardName } from './saved-card.ts'
import { tabPath } from './tabs.ts'

/** The card that will pay, and the way to another one; the choice waits in the address. */
export function PaidWith({ plan }: { plan: string }) {
  const t = useT()
  const card = useApi(api.billing.card).data
  return (
    <p className="t13 ink2 center">
      {card?.last4 && t('billing.change.paid_with', { card: cardName(card, t) })}{' '}
      <TextLink href={tabPath('card', plan)}>{t('billing.change.other_card')}</TextLink>
    </p>
  )
}
