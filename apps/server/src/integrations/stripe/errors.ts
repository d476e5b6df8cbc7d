import type { RefusalCode } from '@plinth/contract/refusals'

/** What the bank or the provider can say against a card, in our own codes. */
export type CardRefusal = Extract<RefusalCode, `card_${string}` | 'payment_not_authorized'>

/**
 * What can go wrong with the provider, as far as callers tell cases apart.
 * `down`: no usable answer, or none for our key; whether it did the work is unknown. `card`: the card was refused.
 * `missing`: there is no such object. `conflict`: a key was used before with other content. `rejected`: it does not
 * accept what was asked.
 */
export type PaymentsErrorKind = 'down' | 'card' | 'missing' | 'conflict' | 'rejected'

export class PaymentsError extends Error {
  readonly kind: PaymentsErrorKind
  readonly code: CardRefusal
  /** The parameter the provider names, such as `customer`. */
  readonly param: string | null
  /** Its own word for why. */
  readonly reason: string | null
  constructor(kind: PaymentsErrorKind, cause: SdkError, code: CardRefusal = 'card_declined') {
    super(`payment provider: ${kind}: ${cause.message}`, { cause })
    this.name = 'PaymentsError'
    this.kind = kind
    this.code = code
    this.param = cause.param ?? null
    this.reason = cause.code ?? null
  }
}

/** The fields of the SDK's errors that decide; the classes themselves are only loaded with the SDK. */
type SdkError = Error & {
  type: string
  code?: string
  decline_code?: string
  statusCode?: number
  param?: string
}

const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error &&
  'type' in error &&
  typeof error.type === 'string' &&
  error.type.startsWith('Stripe')

const cardCodes: Record<string, CardRefusal> = {
  expired_card: 'card_expired',
  incorrect_cvc: 'card_cvc_wrong',
  invalid_cvc: 'card_cvc_wrong',
  incorrect_number: 'card_number_wrong',
  invalid_number: 'card_number_wrong',
  invalid_expiry_month: 'card_expired',
  invalid_expiry_year: 'card_expired',
  processing_error: 'card_processing_error',
  insufficient_funds: 'card_insufficient_funds',
  authentication_required: 'payment_not_authorized',
  payment_intent_authentication_failure: 'payment_not_authorized',
  setup_intent_authentication_failure: 'payment_not_authorized',
}

/** Our code for a decline; the bank's own reason is more exact than the provider's. */
export function cardRefusalOf(
  error: { code?: string | null; decline_code?: string | null } | null,
): CardRefusal {
  return cardCodes[error?.decline_code ?? ''] ?? cardCodes[error?.code ?? ''] ?? 'card_declined'
}

/** The last two are about our key: nothing that was asked has been judged, and it may all be right tomorrow. */
const awayTypes = [
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
]

/** Sorts what the SDK threw; anything else is a bug of ours and stays what it is. */
export function toPaymentsError(error: unknown): unknown {
  if (!isSdkError(error)) return error
  const { type, code, statusCode = 0 } = error
  if (type === 'StripeCardError' || (statusCode === 402 && cardCodes[code ?? ''])) {
    return new PaymentsError('card', error, cardRefusalOf(error))
  }
  if (awayTypes.includes(type) || statusCode === 409 || statusCode >= 500)
    return new PaymentsError('down', error)
  if (code === 'resource_missing') return new PaymentsError('missing', error)
  if (type === 'StripeIdempotencyError') return new PaymentsError('conflict', error)
  return new PaymentsError('rejected', error)
}

/** The customer that a call named is deleted, or unknown to the provider; where it stands in the path it is no `param`. */
export const isCustomerGone = (error: unknown): boolean =>
  error instanceof PaymentsError &&
  error.kind === 'missing' &&
  (error.param === 'customer' || error.message.includes('No such customer'))

/** A preview that the provider refuses because the subscription bills nothing more. */
export const isNothingUpcoming = (error: unknown): boolean =>
  error instanceof PaymentsError && error.reason === 'invoice_upcoming_none'

/** What a call throws that needs the account's customer, when there is none any more. */
export const customerGoneError = (): PaymentsError =>
  new PaymentsError(
    'missing',
    Object.assign(new Error('the account has no customer'), { type: 'none', param: 'customer' }),
  )

export const isPaymentsError = (error: unknown, ...kinds: PaymentsErrorKind[]): error is PaymentsError =>
  error instanceof PaymentsError && kinds.includes(error.kind)
