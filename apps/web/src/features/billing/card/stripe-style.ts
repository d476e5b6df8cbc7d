import type { StripeElementStyle } from '@stripe/stripe-js'

/** The look of the card's text in Stripe's frame, from our tokens as they are now: a frame inherits nothing. */
export function stripeStyle(): StripeElementStyle {
  const tokens = getComputedStyle(document.documentElement)
  const color = (token: string) => tokens.getPropertyValue(token).trim()
  return {
    base: {
      color: color('--ink'),
      iconColor: color('--ink-2'),
      // Our own font can't be fetched from another origin.
      fontFamily: 'system-ui, sans-serif',
      fontSize: color('--text-card') || '13px',
      lineHeight: '20px',
      fontSmoothing: 'antialiased',
      '::placeholder': { color: color('--ink-3') },
      ':disabled': { color: color('--ink-3') },
    },
    invalid: { color: color('--danger-text'), iconColor: color('--danger') },
  }
}
