export interface LogEntry {
  id: string
  at: string
  method: string
  path: string
  idempotency_key: string | null
  params: unknown
  status: number | null
  error: unknown
  replayed: boolean
  fault: string | null
}

const limit = 1_000

export function createRequestLog() {
  const entries: LogEntry[] = []
  return {
    add(entry: LogEntry) {
      entries.push(entry)
      if (entries.length > limit) entries.shift()
    },
    all: () => entries,
    clear: () => {
      entries.length = 0
    },
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>
