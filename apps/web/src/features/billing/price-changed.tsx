import type { PlanPreview, Quote } from '@plinth/contract'
import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import type { ApiError } from '../../lib/api/error.ts'
import { changeAnswer, putAnswer, refresh } from '../../lib/api/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/Alert.tsx'

/** The price changed between the button and the click. */
export function PriceChanged() {
  const t = useT()
  return (
    <Alert ref={takeFocus} tone="warning" title={t('billing.price_changed.title')} announce="alert">
      {t('billing.price_changed.text')}
    </Alert>
  )
}

/**
 * Whether a form has to say that its price is new. `take` goes into the form's `onError`: it puts the new price in
 * place, so that the button names it.
 */
export function usePriceChange(put: (data: unknown) => void) {
  const [isChanged, setChanged] = useState(false)
  return {
    notice: isChanged && <PriceChanged />,
    clear: () => setChanged(false),
    take(error: ApiError): boolean {
      setChanged(error.code === 'price_changed')
      if (error.code !== 'price_changed') return false
      put(error.data)
      return true
    },
  }
}

/** The new preview of a plan, as the refusal brings it. What else is shown may be out of date, too. */
export function putPreview(data: unknown, code: string): void {
  if (!isPreview(data)) return
  const { plan } = data
  putAnswer(api.billing.previewPlan, data, {
    query: code ? { plan, promotion_code: code } : { plan },
  })
  refresh(api.billing.subscription, api.billing.plans)
}

/** What a new card is charged, as the refusal brings it. */
export function putCardQuote(data: unknown): void {
  if (isQuoted(data)) changeAnswer(api.billing.subscription, now => ({ ...now, card_quote: data.quote }))
  // The card itself may be in place already.
  refresh(api.billing.subscription, api.billing.card)
}

const isQuoted = (data: unknown): data is { quote: Quote } =>
  typeof data === 'object' && data !== null && 'quote' in data
const isPreview = (data: unknown): data is PlanPreview => isQuoted(data) && 'due_now' in data
