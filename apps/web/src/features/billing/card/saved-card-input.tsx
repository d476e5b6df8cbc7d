import { useId } from 'react'
import type { Control } from '../../../lib/form/types.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { FieldNote } from '../../../ui/base/Field.tsx'
import { SavedCardConfirmation } from './SavedCardConfirmation.tsx'
import { cardName, type SavedCard } from './saved-card.ts'

/** A form input that pays with the saved card and offers to use another one. */
export const savedCardInput = (card: SavedCard, onOther: () => void, t: Translate) => ({
  ...custom({
    label: t('billing.card.label'),
    value: null,
    render: control => <SavedCardField card={card} control={control} onOther={onOther} />,
  }),
  card: true,
})

type Props = { card: SavedCard; control: Control; onOther: () => void }

function SavedCardField({ card, control, onOther }: Props) {
  const t = useT()
  const id = useId()
  return (
    <div className="field">
      <span className="label">{t('billing.card.label')}</span>
      <div className="row">
        <span>{cardName(card, t)}</span>
        <Button size="sm" variant="ghost" onClick={onOther} disabled={control.disabled}>
          {t('billing.change.other_card')}
        </Button>
      </div>
      <FieldNote id={id} error={control.error} />
      <SavedCardConfirmation control={control} />
    </div>
  )
}
