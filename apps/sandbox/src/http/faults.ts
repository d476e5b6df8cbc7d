import { ApiError, invalid } from './api-error.ts'
import { createHolds } from './holds.ts'

const kinds = ['500', '409', '429', 'timeout', 'reset', 'drop_after_commit', 'garbage', 'slow'] as const
type FaultKind = (typeof kinds)[number]

export interface Fault {
  match: string
  kind: FaultKind
  times: number
  ms: number
  /** Calls that fit and are let through first. */
  after: number
}

const isKind = (value: unknown): value is FaultKind => kinds.some(kind => kind === value)

/** Whether a call is meant: by how its path begins, `*` being any one part of it and `$` its end. */
function fits(match: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = match.split(' ')
  if (verb !== '*' && verb !== method) return false
  const source = pattern.replaceAll(/[\\^.|?+()[\]{}]/g, '\\$&').replaceAll('*', '[^/]+')
  return new RegExp(`^${source}`).test(path)
}

/** Misfortunes asked for by a test: each strikes the next `times` calls whose "METHOD /path" fits `match`. */
export function createFaults() {
  const waiting: Fault[] = []
  const { hold, release } = createHolds()
  return {
    add(input: Record<string, unknown>): Fault {
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

    strike(method: string, path: string): Fault | undefined {
      const at = waiting.findIndex(({ match }) => fits(match, method, path))
      const fault = waiting[at]
      if (!fault || fault.after-- > 0) return undefined
      fault.times -= 1
      if (fault.times <= 0) waiting.splice(at, 1)
      return fault
    },

    all: () => waiting,
    /** Keeps a call waiting for so long, or until the faults are cleared. */
    hold,

    /** Lets everything that is held go; of what is still to come, all or one kind. */
    clear(kind: string | null = null) {
      const stays = kind === null ? [] : waiting.filter(fault => fault.kind !== kind)
      waiting.splice(0, waiting.length, ...stays)
      release()
    },
  }
}

export type Faults = ReturnType<typeof createFaults>

/** The faults that are plain error answers; the others act on the connection. */
export function faultError(kind: FaultKind): ApiError | undefined {
  if (kind === '500')
    return new ApiError(500, { type: 'api_error', message: 'An unknown error occurred (planted).' })
  if (kind === '409')
    return new ApiError(409, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message: 'This object cannot be accessed right now because another request is accessing it (planted).',
    })
  if (kind === '429')
    return new ApiError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many requests (planted).',
    })
  return undefined
}
