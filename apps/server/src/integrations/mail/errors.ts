export type PermanentReason =
  /** Not one plain address; nothing was sent. */
  | 'address_invalid'
  /** The server refused this recipient for good: mark the address. */
  | 'address_refused'
  /** The server refused this message for good; the address may be fine. */
  | 'message_refused'

/** Sending again would never help: give up on this mail. */
export class PermanentMailError extends Error {
  override name = 'PermanentMailError'
  readonly reason: PermanentReason
  readonly code: number | undefined
  constructor(reason: PermanentReason, code?: number) {
    super(`Mail refused for good: ${reason}${code ? ` (${code})` : ''}`)
    this.reason = reason
    this.code = code
  }
}

/** The server is busy, away or set up wrongly: send again later, with the same Message-ID. */
export class TemporaryMailError extends Error {
  override name = 'TemporaryMailError'
  readonly code: string | number | undefined
  /** The server refuses this installation, not this mail: somebody has to change the settings. */
  readonly settings: boolean
  constructor(code: string | number | undefined, settings = false) {
    super(`Mail not sent yet: ${code ?? 'unknown'}`)
    this.code = code
    this.settings = settings
  }
}

const authentication = new Set([530, 534, 535, 538])

/** What the SMTP client refuses before it sends: credentials that are missing, a certificate that is not trusted. */
const isSettingsProblem = ({ code }: SmtpFailure) => code === 'EAUTH' || code === 'ENOAUTH' || code === 'ETLS'

type SmtpFailure = Error & { code: unknown; command?: string; response?: string; responseCode?: number }

/**
 * What a failure of the SMTP client means for the mail. The new error carries codes only: the client's own holds
 * the recipient and the server's words, which do not belong in logs.
 */
export function classifySmtpError(failure: SmtpFailure): PermanentMailError | TemporaryMailError {
  const { responseCode: code = 0, command, response = '' } = failure
  if (code < 500 || code >= 600)
    return new TemporaryMailError(code || String(failure.code), isSettingsProblem(failure))
  // Sign in first, with another method, or with encryption (RFC 4954); at the recipient also 5.7.x: no relaying.
  const policy = authentication.has(code) || (command === 'RCPT TO' && /^5\d\d[ -]5\.7\./.test(response))
  if (command === 'RCPT TO' && !policy) return new PermanentMailError('address_refused', code)
  if (command === 'DATA' && !policy) return new PermanentMailError('message_refused', code)
  return new TemporaryMailError(code, true)
}
