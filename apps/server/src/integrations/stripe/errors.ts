import type { RefusalCode } from '@plinth/contract/refusals'

/** Reasons against a card, in our codes. */
export type CardRefusal = Extract<RefusalCode, `card_${string}` | 'payment_not_authorized'>

/**
 * Kinds of provider errors. `down`: no usable reply, or none for our key; the call may have been executed.
 * `card`: the card was declined. `missing`: no such object. `conflict`: an idempotency key was used with
 * other content. `rejected`: the request is invalid.
 */
export type PaymentsErrorKind = 'down' | 'card' | 'missing' | 'conflict' | 'rejected'

export class PaymentsError extends Error {
  readonly kind: PaymentsErrorKind
  readonly code: CardRefusal
  /** The parameter the provider names, such as `customer`. */
  readonly param: string | null
  /** The provider's error code. */
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

/** The fields that decide. The error classes are only available once the SDK is loaded. */
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

/** Our code for a decline. The bank's reason is more exact than the provider's. */
export function cardRefusalOf(
  error: { code?: string | null; decline_code?: string | null } | null,
): CardRefusal {
  return cardCodes[error?.decline_code ?? ''] ?? cardCodes[error?.code ?? ''] ?? 'card_declined'
}

/** The last two concern our key: the request itself was not checked. */
const awayTypes = [
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
]

/** Maps errors of the SDK. Any other error is a bug and stays unchanged. */
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

/** The customer is deleted or unknown. A customer in the path has no `param`. */
export const isCustomerGone = (error: unknown): boolean =>
  error instanceof PaymentsError &&
  error.kind === 'missing' &&
  (error.param === 'customer' || error.message.includes('No such customer'))

/** The provider refuses this preview, because the subscription bills nothing more. */
export const isNothingUpcoming = (error: unknown): boolean =>
  error instanceof PaymentsError && error.reason === 'invoice_upcoming_none'

/** The error of a call that needs a customer when the account has none. */
export const customerGoneError = (): PaymentsError =>
  new PaymentsError(
    'missing',
    Object.assign(new Error('the account has no customer'), { type: 'none', param: 'customer' }),
  )

export const isPaymentsError = (error: unknown, ...kinds: PaymentsErrorKind[]): error is PaymentsError =>
  error instanceof PaymentsError && kinds.includes(error.kind)

/** For `catch`: the value in place of an error of these kinds. */
export const fallbackFor =
  <T>(value: T, ...kinds: PaymentsErrorKind[]) =>
  (error: unknown): T => {
    if (isPaymentsError(error, ...kinds)) return value
    throw error
  }
