import type { StripeCardElement, StripeElementLocale } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { CardAdapter } from '../../../lib/form/card-adapter.ts'
import { stripeAdapter } from './stripe-adapter.ts'
import { stripeStyle } from './stripe-style.ts'

export type OpenCard = { element: StripeCardElement; adapter: CardAdapter }

/** Loads Stripe.js once per page and creates a card field. Rejects when it can't be loaded. */
export async function openCard(key: string, language: string): Promise<OpenCard> {
  allowStripeScripts()
  const locale = language as StripeElementLocale // as: Stripe falls back to English for a language it lacks
  const stripe = await loadStripe(key, { locale })
  if (!stripe) throw new Error('Stripe.js answered nothing')
  const element = stripe.elements({ locale }).create('card', { style: stripeStyle(), hidePostalCode: true })
  return { element, adapter: stripeAdapter(stripe, element) }
}

type Factory = {
  readonly defaultPolicy: object | null
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string | null }): object
}

/**
 * The content security policy requires trusted types for script URLs. Stripe's loader does not use them, so a default
 * policy allows Stripe's own URLs. Pages without a card field create no such policy.
 */
function allowStripeScripts(): void {
  const { trustedTypes } = window as { trustedTypes?: Factory } // as: not in every browser, and not in TypeScript's types yet
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', { createScriptURL: url => (isStripeUrl(url) ? url : null) })
}

export function isStripeUrl(address: string): boolean {
  const url = URL.parse(address, window.location.href)
  return url?.protocol === 'https:' && /^([\w-]+\.)*js\.stripe\.com$/.test(url.host)
}
