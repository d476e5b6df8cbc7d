import { type ReactNode, useEffect, useId } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import type { Control } from '../../../lib/form/types.ts'
import { money } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { focusable } from '../../../lib/inputs/focusable.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { FieldNote } from '../../../ui/base/Field.tsx'
import { PayingCard } from '../card/PayingCard.tsx'
import { SavedCardConfirmation } from '../card/SavedCardConfirmation.tsx'
import { PriceLines } from '../price/PriceLines.tsx'
import type { Plan } from '../price/plan-texts.ts'
import type { PreviewState } from '../price/use-price.ts'
import { tabPath } from '../shared/tabs.ts'
import { bannerOf } from '../status/banner.ts'
import type { Subscription } from '../status/subscription.ts'
import { PayPanel } from './ChangePlanPanels.tsx'
import { FreeWarning } from './FreeWarning.tsx'
import { OverLimits } from './OverLimits.tsx'
import { TrialEndsNotice } from './TrialEndsNotice.tsx'

type Choice = {
  control: Control
  /** The current plan. */
  plan: Plan
  /** The selected plan. */
  chosen: Plan
  subscription: Subscription
  preview: PreviewState
}
/** `notice`: shown when the price has changed. */
type Props = Choice & { notice: ReactNode }

/** The price, the button and the saved card as one form field, so that card errors are shown here. */
export function PayField({ control, notice, ...choice }: Props) {
  // The form keeps an error until the field changes. Nothing is typed here, so a new selection clears it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection clears the error
  useEffect(() => control.onChange(null), [choice.chosen.id])
  return (
    <div ref={focusable(control, box => box.querySelector<HTMLElement>('button[type="submit"]'))}>
      <PayPanel>
        {notice}
        <ChangeDetails control={control} {...choice} />
      </PayPanel>
      <SavedCardConfirmation control={control} />
    </div>
  )
}

function ChangeDetails(props: Choice) {
  const t = useT()
  const { plan, chosen, subscription, preview } = props
  if (chosen.id === plan.id || preview.data?.when === 'none') {
    return <NoChange text={t('billing.change.same')} />
  }
  if (chosen.price === 0) {
    const isPlanned = subscription.pending_plan === chosen.id
    return (
      <>
        <FreeWarning plan={plan} free={chosen} subscription={subscription} preview={preview.data} />
        <OverLimits
          over={preview.data?.over}
          plan={chosen.name}
          locked={bannerOf(subscription.status) !== null}
        />
        {isPlanned ? <DisabledSubmit /> : <FreePlanSubmit {...props} />}
      </>
    )
  }
  if (bannerOf(subscription.status)) return <PaymentDueFirst plan={chosen.id} />
  return <PaidPlanSubmit {...props} />
}

/** The change to the free plan also needs a quote, which contains the plan and the end date. */
function FreePlanSubmit(props: Choice) {
  const t = useT()
  const { data } = props.preview
  if (data) return <Submit {...props} text={t('billing.change.to_free')} />
  return (
    <>
      <PriceLines {...props.preview} />
      <DisabledSubmit />
    </>
  )
}

function PaidPlanSubmit(props: Choice) {
  const t = useT()
  const { chosen, preview, subscription } = props
  const card = useApi(api.billing.card)
  const { data } = preview
  if (!data || card.loading) {
    return (
      <>
        <PriceLines {...preview} data={undefined} />
        <DisabledSubmit />
      </>
    )
  }
  const { name } = chosen
  const pay = { plan: name, amount: money(data.due_now, data.currency) }
  const savedCard = card.data?.last4 ? card.data : undefined
  return (
    <>
      <PriceLines {...preview} plan={chosen} />
      <DraftNote />
      <TrialEndsNotice plan={chosen} status={subscription.status} />
      <OverLimits over={data.over} plan={name} />
      {savedCard || card.failed ? (
        <>
          <Submit
            {...props}
            text={data.due_now > 0 ? t('billing.change.pay', pay) : t('billing.change.do', pay)}
          />
          <PayingCard plan={chosen.id} card={savedCard} />
        </>
      ) : (
        <>
          <DisabledSubmit />
          <ButtonLink
            variant="primary"
            block
            className="py-1.5 whitespace-normal"
            href={withQuery(paths.upgrade, { plan: chosen.id })}
          >
            {t('billing.change.upgrade', { plan: name })}
          </ButtonLink>
        </>
      )}
    </>
  )
}

/** The draft invoice of a renewal is not part of the price of the change. */
function DraftNote() {
  const t = useT()
  const upcoming = useApi(api.billing.upcoming, { query: {} }, { fresh: true }).data
  if (!upcoming?.draft) return null
  const amount = money(upcoming.draft.total, upcoming.currency)
  return <p className="t13 ink2">{t('billing.change.draft', { amount })}</p>
}

function Submit({ control, text }: Choice & { text: string }) {
  const id = useId()
  return (
    <>
      <Button
        type="submit"
        variant="primary"
        block
        className="py-1.5 whitespace-normal"
        loading={control.disabled}
        aria-describedby={control.error ? id : undefined}
      >
        {text}
      </Button>
      <FieldNote id={id} error={control.error} />
    </>
  )
}

/** A plan cannot change until the amount due is paid. */
function PaymentDueFirst({ plan }: { plan: string }) {
  const t = useT()
  return (
    <>
      <NoChange text={t('billing.change.due_first')} />
      <ButtonLink block href={tabPath('card', plan)}>
        {t('billing.banner.card')}
      </ButtonLink>
    </>
  )
}

function NoChange({ text }: { text: string }) {
  return (
    <>
      <p className="ink2">{text}</p>
      <DisabledSubmit />
    </>
  )
}

/** Without a submit button, Enter in the plan list would submit the form. */
const DisabledSubmit = () => <button type="submit" disabled hidden aria-hidden />
