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
import { Bank } from '../card/SavedCardConfirmation.tsx'
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
  /** In force, and chosen instead. */
  plan: Plan
  chosen: Plan
  subscription: Subscription
  preview: PreviewState
}
/** `notice`: that the price has just changed. */
type Props = Choice & { notice: ReactNode }

/** What the choice costs, the button, and the card that pays: as one field of the form, so that a refusal has a place. */
export function PayField({ control, notice, ...choice }: Props) {
  // The form keeps a refusal until the field changes, and nobody types into this one: the next choice starts without.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice alone makes it out of date
  useEffect(() => control.onChange(null), [choice.chosen.id])
  return (
    <div ref={focusable(control, box => box.querySelector<HTMLElement>('button[type="submit"]'))}>
      <PayPanel>
        {notice}
        <Meaning control={control} {...choice} />
      </PayPanel>
      <Bank control={control} />
    </div>
  )
}

function Meaning(props: Choice) {
  const t = useT()
  const { plan, chosen, subscription, preview } = props
  if (chosen.id === plan.id || preview.data?.when === 'none') {
    return <Nothing text={t('billing.change.same')} />
  }
  if (chosen.price === 0) {
    const settled = subscription.pending_plan === chosen.id
    return (
      <>
        <FreeWarning plan={plan} free={chosen} subscription={subscription} preview={preview.data} />
        <OverLimits
          over={preview.data?.over}
          plan={chosen.name}
          locked={bannerOf(subscription.status) !== null}
        />
        {settled ? <NoButton /> : <ToFree {...props} />}
      </>
    )
  }
  if (bannerOf(subscription.status)) return <PaymentDueNotice plan={chosen.id} />
  return <Price {...props} />
}

/** The quote of an end says which plan ends, and when. */
function ToFree(props: Choice) {
  const t = useT()
  const { data } = props.preview
  if (data) return <Submit {...props} text={t('billing.change.to_free')} />
  return (
    <>
      <PriceLines {...props.preview} />
      <NoButton />
    </>
  )
}

function Price(props: Choice) {
  const t = useT()
  const { chosen, preview, subscription } = props
  const card = useApi(api.billing.card)
  const { data } = preview
  if (!data || card.loading) {
    return (
      <>
        <PriceLines {...preview} data={undefined} />
        <NoButton />
      </>
    )
  }
  const { name } = chosen
  const pay = { plan: name, amount: money(data.due_now, data.currency) }
  const known = card.data?.last4 ? card.data : undefined
  return (
    <>
      <PriceLines {...preview} plan={chosen} />
      <DraftNote />
      <TrialEndsNotice plan={chosen} status={subscription.status} />
      <OverLimits over={data.over} plan={name} />
      {known || card.failed ? (
        <>
          <Submit
            {...props}
            text={data.due_now > 0 ? t('billing.change.pay', pay) : t('billing.change.do', pay)}
          />
          <PayingCard plan={chosen.id} card={known} />
        </>
      ) : (
        <>
          <NoButton />
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

/** A renewal's invoice that is not charged yet is no part of the change's price. */
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

/** A plan can be changed once what is due is paid. */
function PaymentDueNotice({ plan }: { plan: string }) {
  const t = useT()
  return (
    <>
      <Nothing text={t('billing.change.due_first')} />
      <ButtonLink block href={tabPath('card', plan)}>
        {t('billing.banner.card')}
      </ButtonLink>
    </>
  )
}

function Nothing({ text }: { text: string }) {
  return (
    <>
      <p className="ink2">{text}</p>
      <NoButton />
    </>
  )
}

/** Enter in the choice would send a form that has no button at all. */
const NoButton = () => <button type="submit" disabled hidden aria-hidden />
