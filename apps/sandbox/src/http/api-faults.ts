import { ApiError, invalid } from './api-error.ts'
import { createDelayedCalls } from './delayed-calls.ts'

const kinds = ['500', '409', '429', 'timeout', 'reset', 'drop_after_commit', 'garbage', 'slow'] as const
type FaultKind = (typeof kinds)[number]

export interface ApiFault {
  match: string
  kind: FaultKind
  times: number
  ms: number
  /** Number of matching calls that succeed first. */
  after: number
}

const isKind = (value: unknown): value is FaultKind => kinds.some(kind => kind === value)

/** Matches the beginning of a path: `*` is any one segment, `$` the end. */
function matchesCall(match: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = match.split(' ')
  if (verb !== '*' && verb !== method) return false
  const source = pattern.replaceAll(/[\\^.|?+()[\]{}]/g, '\\$&').replaceAll('*', '[^/]+')
  return new RegExp(`^${source}`).test(path)
}

/** Faults set by a test, each for the next `times` calls whose "METHOD /path" matches. */
export function createApiFaults() {
  const waiting: ApiFault[] = []
  const { delay, releaseAll } = createDelayedCalls()
  return {
    add(input: Record<string, unknown>): ApiFault {
      const { match, kind, times, ms, after } = input
      if (typeof match !== 'string' || !/^(\*|[A-Z]+) \//.test(match))
        throw invalid('match must look like "POST /v1/subscriptions" (or "* /v1/…")', 'match')
      if (!isKind(kind)) throw invalid(`kind must be one of ${kinds.join(', ')}`, 'kind')
      const fault = {
        match,
        kind,
        times: Number(times ?? 1),
        ms: Number(ms ?? (kind === 'timeout' ? 30_000 : 1_000)),
        after: Number(after ?? 0),
      }
      waiting.push(fault)
      return fault
    },

    takeFault(method: string, path: string): ApiFault | undefined {
      const at = waiting.findIndex(({ match }) => matchesCall(match, method, path))
      const fault = waiting[at]
      if (!fault || fault.after-- > 0) return undefined
      fault.times -= 1
      if (fault.times <= 0) waiting.splice(at, 1)
      return fault
    },

    all: () => waiting,
    delay,

    /** Removes all faults or one kind, and releases all delayed calls. */
    clear(kind: string | null = null) {
      const stays = kind === null ? [] : waiting.filter(fault => fault.kind !== kind)
      waiting.splice(0, waiting.length, ...stays)
      releaseAll()
    },
  }
}

export type ApiFaults = ReturnType<typeof createApiFaults>

/** Faults that are error replies; the others act on the connection. */
export function faultError(kind: FaultKind): ApiError | undefined {
  if (kind === '500')
    return new ApiError(500, { type: 'api_error', message: 'An unknown error occurred (sandbox fault).' })
  if (kind === '409')
    return new ApiError(409, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another request is accessing it (sandbox fault).',
    })
  if (kind === '429')
    return new ApiError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many requests (sandbox fault).',
    })
  return undefined
}
