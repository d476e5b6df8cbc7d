import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import { makeDeadline } from './deadline.ts'
import { isPaymentsError, toPaymentsError } from './errors.ts'

export type ClientOptions = {
  secretKey: string
  /** Address of the sandbox; null for the provider. */
  apiBase: string | null
  /** Throws when called inside a transaction. */
  guard: () => void
  /** Timeout of one call. */
  timeoutMs?: number
  /** Monotonic clock in milliseconds (tests). */
  now?: () => number
}

/** Runs an SDK call after the guard, and maps its errors. */
export type Call = <T>(run: (stripe: Stripe) => Promise<T>) => Promise<T>

/** Retry only failures within this time, while the caller still waits. */
const maxRetryMs = 2000

/** The usual time of a write. */
const minWriteMs = 1500

/**
 * Loads the SDK at the first call, so that the start stays fast. A quick failure is retried once here and
 * not by the SDK, which would also retry after a full timeout. So every call must be repeatable: by its
 * idempotency key or by its nature.
 */
export function openClient(options: ClientOptions) {
  const deadline = makeDeadline(options.now ?? (() => performance.now()))
  let opened: Promise<Stripe> | undefined
  const sdk = () => {
    opened ??= load(options, deadline)
    return opened
  }
  const call: Call = async run => {
    options.guard()
    const stripe = await sdk()
    const began = performance.now()
    try {
      return await run(stripe)
    } catch (error) {
      const first = toPaymentsError(error)
      if (!isPaymentsError(first, 'down') || performance.now() - began > maxRetryMs) throw first
    }
    await pause(300)
    return run(stripe).catch(error => Promise.reject(toPaymentsError(error)))
  }
  return { call, sdk, withRequestDeadline: deadline.withRequestDeadline }
}

async function load(
  { secretKey, apiBase, timeoutMs = 8000 }: ClientOptions,
  { remainingTime }: ReturnType<typeof makeDeadline>,
): Promise<Stripe> {
  const { default: StripeSdk } = await import('stripe')
  const http = StripeSdk.createNodeHttpClient()
  const base = apiBase ? new URL(apiBase) : null
  const elsewhere = base && {
    host: base.hostname,
    port: base.port || undefined,
    protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
  }
  return new StripeSdk(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: {
      getClientName: () => http.getClientName(),
      // The timeout is set here, because an abandoned call must not continue with another request.
      makeRequest: async (...[host, port, path, method, headers, body, protocol, timeout]) => {
        const left = remainingTime(timeout)
        // A write is not started when the deadline would interrupt it: its result would be unknown.
        const tooShort = method !== 'GET' && left < timeout && left < minWriteMs
        if (left <= 0 || tooShort) throw StripeSdk.HttpClient.makeTimeoutError()
        return http.makeRequest(host, port, path, method, headers, body, protocol, left)
      },
    },
    ...elsewhere,
  })
}
