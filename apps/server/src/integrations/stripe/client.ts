import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import { makeDeadline } from './deadline.ts'
import { isPaymentsError, toPaymentsError } from './errors.ts'

export type ClientOptions = {
  secretKey: string
  /** Another address than the provider's own: the sandbox. */
  apiBase: string | null
  /** Throws inside a transaction. */
  guard: () => void
  /** How long one call may take. */
  timeoutMs?: number
  /** Milliseconds of a clock that nobody turns (tests). */
  now?: () => number
}

/** Runs SDK calls, one after the guard, with its errors sorted. */
export type Call = <T>(run: (stripe: Stripe) => Promise<T>) => Promise<T>

/** A second try only makes sense while the visitor still waits for the first. */
const quickMs = 2000

/** A write takes a second at most, as a rule. */
const hurriedMs = 1500

/**
 * Loads the SDK at the first call, so that a web process does not pay for it at start. A failure that came quickly
 * is tried once more here, not by the SDK, which would also sit out a second full time-out. Every call must
 * therefore be safe to repeat: by its idempotency key, or by its nature.
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
      if (!isPaymentsError(first, 'down') || performance.now() - began > quickMs) throw first
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
      // Here and not around the call: what is given up must not go on with its next request behind our back.
      makeRequest: async (...[host, port, path, method, headers, body, protocol, timeout]) => {
        const left = remainingTime(timeout)
        // What changes something is not begun when it would be cut off: whether it was done would not be known.
        const hurried = method !== 'GET' && left < timeout && left < hurriedMs
        if (left <= 0 || hurried) throw StripeSdk.HttpClient.makeTimeoutError()
        return http.makeRequest(host, port, path, method, headers, body, protocol, left)
      },
    },
    ...elsewhere,
  })
}
