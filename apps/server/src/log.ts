import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'

/** Errors of the framework name the address of their call, and mailed secrets ride in its query string. */
const withoutQuery = (text: string) => text.replace(/\?[^\s"']+/g, '')

/** Stdout. Lines are written beside the event loop; end it with `closeOutput`. */
export const openOutput = () => pino.destination(1)

/**
 * Flushes buffered lines before the process ends, for at most a second, because the reader of the lines may be gone.
 * Log nothing after it.
 */
export async function closeOutput(output: ReturnType<typeof openOutput>): Promise<void> {
  const closed = once(output, 'close').catch(() => {})
  output.end()
  await Promise.race([closed, wait(1000, undefined, { ref: false })])
}

/**
 * JSON lines on stdout. Only named fields are ever logged: no body, no header, no query string, no SQL parameter
 * (T-82). Errors keep their message, stack and the driver's code.
 * @param to where to; stdout without
 */
export function makeLog(level: string, to: DestinationStream = openOutput()): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      // Without words of its own a line takes those of its error.
      logMethod(args: Parameters<LogFn>, method: LogFn) {
        const [first, words] = args as unknown[] // as: any of its forms
        const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err // as: fields are optional
        if (error instanceof Error && words === undefined)
          method.call(this, first, withoutQuery(error.message))
        else method.apply(this, args)
      },
    },
    serializers: {
      err: (error: Error & { code?: string; constraint?: string }) => ({
        type: error.name,
        message: withoutQuery(error.message),
        stack: error.stack && withoutQuery(error.stack),
        code: error.code,
        constraint: error.constraint,
        cause: error.cause instanceof Error ? withoutQuery(error.cause.message) : undefined,
      }),
      req: (request: { method: string; url: string; id: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        id: request.id,
      }),
    },
  }
  return pino(options, to)
}
