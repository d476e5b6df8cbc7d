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
  /** The name of the plan in force, where nothing is left to confirm. */
  nowOn?: string | undefined
}

/** The price changed between the button and the click. */
export function PriceChanged({ nowOn }: Props) {
  const t = useT()
  return (
    <Alert ref={takeFocus} tone="warning" title={t('billing.price_changed.title')} announce="alert">
      {nowOn ? t('billing.price_changed.now_on', { plan: nowOn }) : t('billing.price_changed.text')}
    </Alert>
  )
}

/**
 * Whether a form has to say that its price is new. `take` goes into the form's `onError`: it puts the new price in
 * place, so that the button names it. Call this hook where a new plan in force unmounts nothing.
 */
export function usePriceChange(put: (data: unknown) => void) {
  const [isChanged, setChanged] = useState(false)
  return {
    isChanged,
    clear: () => setChanged(false),
    take(error: ApiError): boolean {
      setChanged(error.code === 'price_changed')
      if (error.code !== 'price_changed') return false
      // What else is shown may be out of date, too: the plan in force, the card, the next payment.
      refreshBilling()
      put(error.data)
      return true
    },
  }
}

/** The new preview of a plan, as the refusal brings it. */
export function putPreview(data: unknown, code: string): void {
  if (!isPreview(data)) return
  const { plan } = data
  putAnswer(api.billing.previewPlan, data, {
    query: code ? { plan, promotion_code: code } : { plan },
  })
}

/** What a new card is charged, as the refusal brings it. */
export function putCardQuote(data: unknown): void {
  if (isQuoted(data)) changeAnswer(api.billing.subscription, now => ({ ...now, card_quote: data.quote }))
}

const isQuoted = (data: unknown): data is { quote: Quote } =>
  typeof data === 'object' && data !== null && 'quote' in data
const isPreview = (data: unknown): data is PlanPreview => isQuoted(data) && 'due_now' in data
