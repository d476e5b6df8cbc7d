import type Stripe from 'stripe'

export type Payments = { stripe(): Promise<Stripe> }

/** The payment provider by its own SDK, loaded at the first call: the web process does not pay for it at start. */
export function openPayments(options: {
  secretKey: string
  apiBase: string | null
  guard: () => void
}): Payments {
  let opened: Promise<Stripe> | undefined
  return {
    stripe() {
      options.guard()
      opened ??= import('stripe').then(({ default: StripeSdk }) => {
        const base = options.apiBase ? new URL(options.apiBase) : null
        return new StripeSdk(options.secretKey, {
          timeout: 10_000,
          ...(base
            ? {
                host: base.hostname,
                port: base.port || undefined,
                protocol: base.protocol === 'http:' ? 'http' : 'https',
              }
            : {}),
        })
      })
      return opened
    },
  }
}
