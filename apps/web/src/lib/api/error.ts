/** A response with an error status: a refusal, or a failure of the server. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** The form field that caused the error. */
  readonly inputError: string | undefined
  /** The plan that would allow the call; set on every 402. */
  readonly plan: string | undefined
  /** Details of the refusal, such as a new price. */
  readonly data: unknown
  /** The requested proof can be a passkey. */
  readonly passkey: boolean
  /** Seconds to wait before a retry; set on a 429. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      code?: string
      inputError?: string
      plan?: string
      data?: unknown
      passkey?: boolean
      retryAfter?: number
    } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = more.code
    this.inputError = more.inputError
    this.plan = more.plan
    this.data = more.data
    this.passkey = more.passkey ?? false
    this.retryAfter = more.retryAfter
  }
}

/**
 * No response arrived: offline, connection lost, or blocked by the browser. The call may have been carried
 * out.
 */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The server did not answer', { cause })
    this.name = 'NoAnswer'
  }
}

/** The card was refused, before or after the call. Shown at the card field. */
export class CardRefused extends Error {
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.name = 'CardRefused'
    this.code = code
  }
}

const textOrUndefined = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Parses an error response: JSON from our server; plain text on a 429 or from a proxy. */
export async function failureOf(response: Response): Promise<ApiError> {
  const body = await response.text().catch(() => '')
  const json = response.headers.get('content-type')?.includes('json')
  if (!json && response.status === 429)
    return new ApiError(429, body, { retryAfter: Number(response.headers.get('retry-after')) })
  if (!json) return new ApiError(response.status, '')
  const fields = parseObject(body)
  return new ApiError(response.status, textOrUndefined(fields.message) ?? '', {
    code: textOrUndefined(fields.code),
    inputError: textOrUndefined(fields.inputError),
    plan: textOrUndefined(fields.plan),
    data: fields.data,
    passkey: fields.passkey === true,
  })
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // as: an object's fields stay unknown
  } catch {
    return {} // treated like an empty body
  }
}
