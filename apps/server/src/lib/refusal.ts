import type { RefusalCode } from '@plinth/contract/refusals'

type Details = {
  /** The field that caused it. */
  field?: string
  /** On `proof_required`: a passkey would be a proof. */
  passkey?: boolean
  /** The plan to buy, on every 402. */
  plan?: string
  /** What stands in the answer's `data`. */
  data?: object
  /** Values for the translated text. */
  values?: Record<string, string | number>
  /** A more exact text than the code's own: a key of the locales. */
  text?: string
  /** Seconds until another try makes sense. */
  retryAfter?: number
}

/** An expected "no". Its status stands in the contract, its words in the locales. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: Details
  /** @param cause what made it necessary, for the log */
  constructor(code: RefusalCode, details: Details = {}, cause?: unknown) {
    super(code, { cause })
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

/** The refusal of who has to wait. @param seconds until there is something to be had again */
export const tooMany = (seconds: number) =>
  new Refusal('too_many_requests', { retryAfter: Math.max(1, Math.ceil(seconds)) })

/** @param most in bytes */
export const bodyTooLarge = (most: number) =>
  new Refusal('body_too_large', { values: { most: Math.floor(most / 1024) } })
