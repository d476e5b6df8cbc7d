import type { Quote } from '@plinth/contract'
import CreditCard from 'lucide-react/icons/credit-card'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { putAnswer, useApi } from '../../../lib/data/query.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { money } from '../../../lib/i18n/format.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Badge } from '../../../ui/base/Badge.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import { DescriptionList, DescriptionListSkeleton } from '../../../ui/base/DescriptionList.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Loading } from '../../../ui/base/Skeleton.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { PriceChanged, storeCardQuote, usePriceChange } from '../price/PriceChanged.tsx'
import { PriceLines } from '../price/PriceLines.tsx'
import { LoadFailed } from '../shared/LoadFailed.tsx'
import { Panel } from '../shared/Panel.tsx'
import { refreshBilling } from '../shared/refresh-billing.ts'
import type { Subscription } from '../status/subscription.ts'
import { isDue } from '../status/subscription.ts'
import { brandOfInput } from './card-checks.ts'
import { newCardInput } from './new-card-input.tsx'
import { brandText, cardName, expiryOf, hasExpired, isSameCard, type SavedCard } from './saved-card.ts'

/** Shows the saved card and a form to replace it. */
export function CardTab({ subscription }: { subscription: Subscription }) {
  const t = useT()
  const { status, card_quote } = subscription
  const { data, failed, retry } = useApi(api.billing.card)
  // Support staff who impersonate a user must not change the card.
  const mayChange = !useSignedIn().support_until
  if (failed && !data)
    return (
      <LoadFailed title={t('billing.saved.failed')} text={t('billing.saved.failed_text')} retry={retry} />
    )
  if (!data)
    return (
      <Loading label={t('global.loading')}>
        <DescriptionListSkeleton keys={['brand', 'number', 'expiry', 'code']} />
      </Loading>
    )
  return (
    <>
      {data.last4 ? <SavedCardDetails card={data} /> : <NoCard />}
      {mayChange && status !== 'canceled' && (
        <ReplaceCard quote={card_quote} due={isDue({ status })} card={data} />
      )}
    </>
  )
}

function SavedCardDetails({ card }: { card: SavedCard }) {
  const t = useT()
  return (
    <DescriptionList
      label={t('billing.saved.title')}
      facts={[
        { key: 'brand', label: t('billing.card.label'), value: brandText(card, t) },
        {
          key: 'number',
          label: t('billing.card.number'),
          value: <Masked dots="••••" last={card.last4 ?? ''} spoken={cardName(card, t)} />,
        },
        {
          key: 'expiry',
          label: t('billing.saved.expires'),
          value: (
            <>
              <span dir="ltr">{expiryOf(card)}</span>
              {hasExpired(card, new Date()) && <Badge color="red">{t('billing.saved.expired')}</Badge>}
            </>
          ),
        },
        {
          key: 'code',
          label: t('billing.card.cvc'),
          value: <Masked dots="•••" spoken={t('billing.saved.never_kept')} />,
        },
      ]}
    />
  )
}

/** Shows dots on screen and reads the text to screen readers. */
function Masked({ dots, last, spoken }: { dots: string; last?: string; spoken: string }) {
  return (
    <>
      <span aria-hidden dir="ltr">
        {last ? `${dots} ${last}` : dots}
      </span>
      <span className="sr">{spoken}</span>
    </>
  )
}

function NoCard() {
  const t = useT()
  return (
    <Card>
      <EmptyState icon={CreditCard} title={t('billing.saved.none')}>
        {t('billing.saved.none_text')}
      </EmptyState>
    </Card>
  )
}

/** `due`: the new card is charged the amount due at once. */
function ReplaceCard({ quote, due, card }: { quote: Quote | null; due: boolean; card: SavedCard }) {
  const t = useT()
  const first = !card.last4
  /** The saved card at the time of the last refusal. */
  const [cardAtRefusal, setCardAtRefusal] = useState<SavedCard | null>(null)
  const isSavedUnpaid = cardAtRefusal !== null && !isSameCard(cardAtRefusal, card)
  const [brand, setBrand] = useState<string | null>(null)
  const [formKey, setFormKey] = useState(0)
  const change = usePriceChange(storeCardQuote)

  function showSavedCard(saved: object): void {
    // The form handles bank confirmations itself; only a saved card is of interest here.
    if (!isSaved(saved)) return
    putAnswer(api.billing.card, saved)
    refreshBilling()
    change.clear()
    setCardAtRefusal(null)
    const paid = quote && quote.amount > 0 ? money(quote.amount, quote.currency) : null
    const name = cardName(saved, t)
    toast({
      variant: 'success',
      title: paid
        ? t('billing.saved.done_paid', { card: name, amount: paid })
        : t('billing.saved.done', { card: name }),
    })
    setBrand(null)
    setFormKey(formKey + 1)
  }

  return (
    <Panel title={t(first ? 'billing.saved.first' : 'billing.saved.new')}>
      <p className="ink2 max-w-160">{t(replaceText(due, first))}</p>
      <div className="max-w-160">
        <Form
          // A new key empties the fields after the card is saved.
          key={formKey}
          inputs={{
            token: newCardInput(brand, t),
          }}
          extra={quote ? { quote } : {}}
          call={api.billing.replaceCard}
          onChange={({ token }) => setBrand(brandOfInput(token))}
          onError={error => {
            setCardAtRefusal(card)
            if (change.handleError(error)) return true
            // The payment may be declined after the card was saved, so reload both.
            refreshBilling()
            return false
          }}
          buttonText={quote ? saveText(quote, t) : undefined}
          callback={showSavedCard}
        >
          {change.isChanged && <PriceChanged />}
          {isSavedUnpaid && (
            <Alert
              tone="warning"
              title={t('billing.saved.done', { card: cardName(card, t) })}
              announce="status"
            >
              {t('billing.saved.unpaid_text')}
            </Alert>
          )}
          {!quote && <PriceLines data={undefined} failed retry={refreshBilling} />}
        </Form>
      </div>
    </Panel>
  )
}

const saveText = ({ amount, currency }: Quote, t: Translate): string =>
  amount > 0 ? t('billing.saved.save_due', { amount: money(amount, currency) }) : t('billing.saved.save')

function replaceText(due: boolean, first: boolean): TextKey {
  if (due) return 'billing.saved.new_due'
  return first ? 'billing.saved.first_text' : 'billing.saved.new_text'
}

const isSaved = (answer: object): answer is SavedCard => 'last4' in answer
