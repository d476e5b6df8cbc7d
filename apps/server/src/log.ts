import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * JSON lines on stdout. Only named fields are ever logged: no body, no header, no query string, no SQL parameter
 * (T-82). Errors keep their message, stack and the driver's code.
 * @param to somewhere else than stdout: for tests
 */
export function makeLog(level: string, to?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: (error: Error & { code?: string; constraint?: string }) => ({
        type: error.name,
        message: error.message,
        stack: error.stack,
        code: error.code,
        constraint: error.constraint,
        cause: error.cause instanceof Error ? error.cause.message : undefined,
      }),
      req: (request: { method: string; url: string; id: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        id: request.id,
      }),
    },
  }
  return to ? pino(options, to) : pino(options)
}
