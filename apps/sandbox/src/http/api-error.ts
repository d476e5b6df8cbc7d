export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  doc_url?: string
  request_log_url?: string
  payment_intent?: unknown
  setup_intent?: unknown
  payment_method?: unknown
}

/** An error reply that the official SDK maps to its error classes. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly retry: boolean | undefined

  constructor(status: number, body: ErrorBody, retry?: boolean) {
    super(body.message)
    this.status = status
    this.body = body
    this.retry = retry
  }
}

export const invalid = (message: string, param?: string, code?: string) =>
  new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(param && { param }),
    ...(code && { code }),
  })

export const missing = (what: string, id: string, param = 'id') =>
  new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })

/** An unknown id inside a body: Stripe replies 400 instead of 404. */
export const missingReference = (what: string, id: string, param: string) =>
  invalid(`No such ${what}: '${id}'`, param, 'resource_missing')
