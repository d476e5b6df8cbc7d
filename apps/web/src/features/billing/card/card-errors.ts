import type { CardFailure } from '../../../lib/form/card-adapter.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import { t } from '../../../lib/i18n/translate.ts'

const errorTexts: Record<string, TextKey> = {
  insufficient_funds: 'billing.card.insufficient_funds',
  expired_card: 'billing.card.expired',
  incorrect_cvc: 'billing.card.cvc_wrong',
  invalid_cvc: 'billing.card.cvc_wrong',
  incorrect_number: 'billing.card.number_wrong',
  invalid_number: 'billing.card.number_wrong',
  invalid_expiry_month: 'billing.card.exp_wrong',
  invalid_expiry_year: 'billing.card.exp_past',
  invalid_expiry_month_past: 'billing.card.exp_past',
  invalid_expiry_year_past: 'billing.card.exp_past',
  incomplete_number: 'billing.card.number_short',
  incomplete_expiry: 'billing.card.exp_short',
  incomplete_cvc: 'billing.card.cvc_missing',
  processing_error: 'billing.card.processing',
  rate_limit: 'billing.card.processing',
  payment_intent_authentication_failure: 'billing.card.not_authorized',
  setup_intent_authentication_failure: 'billing.card.not_authorized',
}

type Codes = { code?: string; decline_code?: string }

/** The text for an error code of the provider; undefined for an unknown code. */
export const cardErrorText = ({ code, decline_code }: Codes): TextKey | undefined =>
  errorTexts[decline_code ?? ''] ?? errorTexts[code ?? '']

/** Turns an error of the provider into a failure with a text for the user. */
export function toCardFailure(error: unknown): CardFailure {
  const codes = (error ?? {}) as Codes // as: an unknown code has no text
  const fallback = error ? 'billing.card.declined' : 'billing.card.not_authorized'
  return { error: t(cardErrorText(codes) ?? fallback), code: codes.decline_code ?? codes.code }
}
