import type { Logger } from 'pino'

/** A command that takes longer counts as failed. */
const patienceMs = 2000

/** Rejects when Redis does not reply in time. */
export async function inTime<T>(command: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), patienceMs)
  try {
    return await Promise.race([command, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The part of the client that we use; its own type depends on many options. */
export type RedisClient = {
  destroy(): void
}

/**
 * A connection to Redis or Valkey that reconnects. Without a connection commands fail at once; the start does not wait
 * for it.
 */
export async function openRedis(url: string, log: Logger): Promise<RedisClient> {
  // Most installations run without Redis.
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: patienceMs, reconnectStrategy: tries => Math.min(50 * 2 ** tries, 2000) },
  })
  // Logged once for each loss, not for each reconnect.
  let lost = false
  client.on('error', error => {
    if (!lost) log.error({ err: error }, 'Redis connection lost')
    lost = true
  })
  client.on('ready', () => {
    if (lost) log.info('Redis connection restored')
    lost = false
  })
  client.connect().catch(() => {}) // logged by the error event, and retried
  return client
}
