export type PermanentReason =
  /** The recipient is not a single plain address; nothing was sent. */
  | 'address_invalid'
  /** The server permanently refused the recipient: mark the address. */
  | 'address_refused'
  /** The server permanently refused the message; the address may be valid. */
  | 'message_refused'

/** Retrying cannot help: give up on this mail. */
export class PermanentMailError extends Error {
  override name = 'PermanentMailError'
  readonly reason: PermanentReason
  readonly code: number | undefined
  constructor(reason: PermanentReason, code?: number) {
    super(`Mail permanently refused: ${reason}${code ? ` (${code})` : ''}`)
    this.reason = reason
    this.code = code
  }
}

/** The server is busy, unreachable or misconfigured: retry later with the same Message-ID. */
export class TemporaryMailError extends Error {
  override name = 'TemporaryMailError'
  readonly code: string | number | undefined
  /** The server refuses this installation: the operator must change the SMTP settings. */
  readonly settings: boolean
  constructor(code: string | number | undefined, settings = false) {
    super(`Mail not sent yet: ${code ?? 'unknown'}`)
    this.code = code
    this.settings = settings
  }
}

const authentication = new Set([530, 534, 535, 538])

/** Errors raised before sending: missing credentials or an untrusted certificate. */
const isSettingsProblem = ({ code }: SmtpFailure) => code === 'EAUTH' || code === 'ENOAUTH' || code === 'ETLS'

type SmtpFailure = Error & { code: unknown; command?: string; response?: string; responseCode?: number }

/**
 * Maps an SMTP failure to a permanent or temporary error. Keeps only codes: the original error contains the recipient
 * and the server's text, which must not be logged.
 */
export function classifySmtpError(failure: SmtpFailure): PermanentMailError | TemporaryMailError {
  const { responseCode: code = 0, command, response = '' } = failure
  if (code < 500 || code >= 600)
    return new TemporaryMailError(code || String(failure.code), isSettingsProblem(failure))
  // Authentication or encryption required (RFC 4954); 5.7.x at the recipient means relaying is denied.
  const policy = authentication.has(code) || (command === 'RCPT TO' && /^5\d\d[ -]5\.7\./.test(response))
  if (command === 'RCPT TO' && !policy) return new PermanentMailError('address_refused', code)
  if (command === 'DATA' && !policy) return new PermanentMailError('message_refused', code)
  return new TemporaryMailError(code, true)
}
