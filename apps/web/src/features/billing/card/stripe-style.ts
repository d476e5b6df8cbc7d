import type { StripeElementStyle } from '@stripe/stripe-js'

/** The style of the card field, from the current design tokens, since Stripe's frame inherits no CSS. */
export function stripeStyle(): StripeElementStyle {
  const tokens = getComputedStyle(document.documentElement)
  const color = (token: string) => tokens.getPropertyValue(token).trim()
  return {
    base: {
      color: color('--ink'),
      iconColor: color('--ink-2'),
      // Stripe's origin can't load our font.
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
