import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useId } from 'react'
import { focusable } from '../../lib/form/focusable.ts'
import type { Control } from '../../lib/form/types.ts'
import { money } from '../../lib/i18n/format.ts'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldNote } from '../../ui/Field.tsx'
import { useSettings } from '../settings/settings.ts'
import { PayPanel } from './ChangePanels.tsx'
import type { Subscription } from './CurrentPlan.tsx'
import { BankDialog } from './card/BankDialog.tsx'
import { sandboxAdapter } from './card/sandbox-adapter.ts'
import { FreeWarning } from './FreeWarning.tsx'
import { PaidWith } from './PaidWith.tsx'
import { PriceLines } from './PriceLines.tsx'
import type { Plan } from './plan-texts.ts'

type Preview = Reply<Contract['billing']['previewPlan']>
type Props = {
  control: Control
  /** In force, and chosen instead. */
  plan: Plan
  chosen: Plan
  subscription: Subscription
  preview: { data: Preview | undefined; failed: boolean; retry: () => void }
}

/** What the choice costs, the button, and the card that pays: as one field of the form, so that a refusal has a place. */
export function PayField({ control, plan, chosen, subscription, preview }: Props) {
  const t = useT()
  const id = useId()
  const free = chosen.price === 0
  const same = chosen.id === plan.id || preview.data?.when === 'none'
  const settled = chosen.id === subscription.pending_plan
  const ready = !same && !settled && (free || preview.data !== undefined)
  useRefusalOf(chosen.id, control)
  return (
    <div ref={focusable(control, box => box.querySelector<HTMLElement>('button[type="submit"]'))}>
      <PayPanel>
        {same && <p className="ink2">{t('billing.change.same')}</p>}
        {free && !same && <FreeWarning plan={plan} free={chosen} subscription={subscription} />}
        {!free && !same && <PriceLines {...preview} />}
        {ready ? (
          <Button
            type="submit"
            variant="primary"
            block
            loading={control.disabled}
            aria-describedby={control.error ? id : undefined}
          >
            {free ? t('billing.change.to_free') : buttonOf(chosen, preview.data, t)}
          </Button>
        ) : (
          // Enter in the choice would send a form that has no button at all.
          <button type="submit" disabled hidden aria-hidden />
        )}
        <FieldNote id={id} error={control.error} />
        {ready && !free && <PaidWith plan={chosen.id} />}
      </PayPanel>
      <Bank control={control} />
    </div>
  )
}

function buttonOf({ name }: Plan, preview: Preview | undefined, t: Translate): string {
  const due = preview?.due_now ?? 0
  if (!preview || due <= 0) return t('billing.change.do', { plan: name })
  return t('billing.change.pay', { plan: name, amount: money(due, preview.currency) })
}

/** What was refused was refused of one choice; the next one starts without it. */
function useRefusalOf(chosen: string, { onChange }: Control): void {
  // The form keeps the refusal until the field changes, and this field is never typed into.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice alone makes it out of date
  useEffect(() => onChange(null), [chosen])
}

/** The bank may ask about the card on file, too. Its page opens as it does for a card that was typed. */
function Bank({ control }: { control: Control }) {
  const provider = useSettings()?.payments.sandbox_url
  // The form lies outside this component; it is told once who asks the bank, and when that ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks depends on the provider alone
  useEffect(() => {
    if (!provider) return
    control.onAdapter(sandboxAdapter({ read: () => null, blame: () => undefined }))
    return () => control.onAdapter(null)
  }, [provider])
  return provider ? <BankDialog /> : null
}
