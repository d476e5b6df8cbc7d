import type { PlanPreview, Quote } from '@plinth/contract'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import type { ApiError } from '../../../lib/api/error.ts'
import { changeAnswer, putAnswer } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { refreshBilling } from '../shared/refresh-billing.ts'

type Props = {
  /** The name of the current plan if it is the selected one, so nothing is left to confirm. */
  currentPlan?: string | undefined
}

/** Tells the user that the price changed before the payment was confirmed. */
export function PriceChanged({ currentPlan }: Props) {
  const t = useT()
  return (
    <Alert ref={takeFocus} tone="warning" title={t('billing.price_changed.title')} announce="alert">
      {currentPlan
        ? t('billing.price_changed.now_on', { plan: currentPlan })
        : t('billing.price_changed.text')}
    </Alert>
  )
}

/**
 * Handles the refusal `price_changed`. Call `handleError` in the form's `onError`: it stores the new price, so that the
 * button names it. Use this hook in a component that stays mounted when the current plan changes.
 */
export function usePriceChange(storePrice: (data: unknown) => void) {
  const [isChanged, setChanged] = useState(false)
  return {
    isChanged,
    clear: () => setChanged(false),
    handleError(error: ApiError): boolean {
      setChanged(error.code === 'price_changed')
      if (error.code !== 'price_changed') return false
      // The current plan, the card and the next payment may have changed too.
      refreshBilling()
      storePrice(error.data)
      return true
    },
  }
}

/** Stores the new price preview that the refusal contains. */
export function storePreview(data: unknown, code: string): void {
  if (!isPreview(data)) return
  const { plan } = data
  putAnswer(api.billing.previewPlan, data, {
    query: code ? { plan, promotion_code: code } : { plan },
  })
}

/** Stores the new quote for a card change that the refusal contains. */
export function storeCardQuote(data: unknown): void {
  if (hasQuote(data)) changeAnswer(api.billing.subscription, now => ({ ...now, card_quote: data.quote }))
}

const hasQuote = (data: unknown): data is { quote: Quote } =>
  typeof data === 'object' && data !== null && 'quote' in data
const isPreview = (data: unknown): data is PlanPreview => hasQuote(data) && 'due_now' in data
