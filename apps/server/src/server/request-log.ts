import type { FastifyBaseLogger } from 'fastify'

type Line = Parameters<FastifyBaseLogger['info']>

/**
 * A request's own log, made when something is written to it: most requests write nothing, and to make one takes as
 * long as all of their hooks. The level is the app's, for no route has one of its own; what pino can beside Fastify's
 * own calls is left out.
 */
class RequestLog {
  readonly level: string
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | undefined

  constructor(level: string, make: () => FastifyBaseLogger) {
    this.level = level
    this.#make = make
  }

  get #log() {
    this.#made ??= this.#make()
    return this.#made
  }

  fatal(...line: Line) {
    this.#log.fatal(...line)
  }
  error(...line: Line) {
    this.#log.error(...line)
  }
  warn(...line: Line) {
    this.#log.warn(...line)
  }
  info(...line: Line) {
    this.#log.info(...line)
  }
  debug(...line: Line) {
    this.#log.debug(...line)
  }
  trace(...line: Line) {
    this.#log.trace(...line)
  }
  silent(...line: Line) {
    this.#log.silent(...line)
  }
  child(...more: Parameters<FastifyBaseLogger['child']>) {
    return this.#log.child(...more)
  }
}

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]

/** Fastify's way to make the log of a request. */
export const requestLog = (log: FastifyBaseLogger, bindings: Bindings, options: Options): FastifyBaseLogger =>
  new RequestLog(log.level, () => log.child(bindings, options))
