import type { Logger } from 'pino'

/** A call that takes longer counts as failed: whoever waits for it is refused, not kept. */
const patienceMs = 2000

/** Redis may take a command and never answer; then waiting has an end. */
export async function inTime<T>(command: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), patienceMs)
  try {
    return await Promise.race([command, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** What we use of it; the client's own type depends on options that nobody here sets. */
export type RedisClient = {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  destroy(): void
}

/**
 * A connection to Redis or Valkey that mends itself. While it is broken, commands fail at once instead of waiting in
 * line. It does not keep the start waiting: what needs it is refused until it is there.
 */
export async function openRedis(url: string, log: Logger): Promise<RedisClient> {
  // Loaded only where there is one: most installations start without.
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: patienceMs, reconnectStrategy: tries => Math.min(50 * 2 ** tries, 2000) },
  })
  // Once for each loss, not for each try to get it back.
  let lost = false
  client.on('error', error => {
    if (!lost) log.error({ err: error }, 'Redis is away')
    lost = true
  })
  client.on('ready', () => {
    if (lost) log.info('Redis is back')
    lost = false
  })
  client.connect().catch(() => {}) // told by the error event, and tried again
  return client
}
