import { useT } from '../../../lib/i18n/translate.ts'
import { TextLink } from '../../../ui/base/Link.tsx'
import { tabPath } from '../shared/tabs.ts'
import { cardName, type SavedCard } from './saved-card.ts'

/** The card that pays, and a link to change it, which keeps the selected plan in the URL. */
export function PayingCard({ plan, card }: { plan: string; card: SavedCard | undefined }) {
  const t = useT()
  return (
    <p className="t13 ink2 center">
      {card && <span>{`${cardName(card, t)}. `}</span>}
      <TextLink href={tabPath('card', plan)}>{t('billing.change.other_card')}</TextLink>
    </p>
  )
}
