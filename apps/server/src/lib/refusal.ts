import type { RefusalCode } from '@plinth/contract/refusals'

type Details = {
  /** The field that caused the refusal. */
  field?: string
  /** On `proof_required`: a passkey would be a proof. */
  passkey?: boolean
  /** The plan to buy, on every 402. */
  plan?: string
  /** The `data` of the answer. */
  data?: object
  /** Values for the translated text. */
  values?: Record<string, string | number>
  /** A more exact text than the code's own: a key of the locales. */
  text?: string
  /** Seconds until another try makes sense. */
  retryAfter?: number
}

/** An expected "no". The contract has its status, the locales have its text. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: Details
  /** @param cause the error behind it, for the log */
  constructor(code: RefusalCode, details: Details = {}, cause?: unknown) {
    super(code, { cause })
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

/** @param seconds until another try can succeed */
export const tooMany = (seconds: number) =>
  new Refusal('too_many_requests', { retryAfter: Math.max(1, Math.ceil(seconds)) })

/** @param most in bytes */
export const bodyTooLarge = (most: number) =>
  new Refusal('body_too_large', { values: { most: Math.floor(most / 1024) } })
