/**
 * A sign-in at a provider did not succeed. `denied`: the user refused consent. `failed`: the answer is invalid or
 * missing; the cause is for the log.
 */
export class IdentityError extends Error {
  readonly reason: 'denied' | 'failed'
  constructor(reason: 'denied' | 'failed', cause?: unknown) {
    super(`Sign-in at the identity provider: ${reason}`, { cause })
    this.name = 'IdentityError'
    this.reason = reason
  }
}
