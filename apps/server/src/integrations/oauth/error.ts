/**
 * Why a provider's answer is not taken. `denied`: the person said no there. `failed`: it is wrong, or did not come;
 * the cause is for the log.
 */
export class IdentityError extends Error {
  readonly reason: 'denied' | 'failed'
  constructor(reason: 'denied' | 'failed', cause?: unknown) {
    super(`The identity provider: ${reason}`, { cause })
    this.name = 'IdentityError'
    this.reason = reason
  }
}
