import type { StripeCardElement, StripeElementLocale } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { CardAdapter } from '../../../lib/form/card-adapter.ts'
import { stripeAdapter } from './stripe-adapter.ts'
import { stripeStyle } from './stripe-style.ts'

export type OpenCard = { element: StripeCardElement; adapter: CardAdapter }

/** Fetches Stripe.js, once per page, and makes a card field of it. Rejects when it can't be had. */
export async function openCard(key: string, language: string): Promise<OpenCard> {
  passStripe()
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
 * The page's policy runs no script from an address in plain text. Stripe's loader, and what it loads in turn, know
 * nothing of that and pass here; nothing else does, and pages without a card have no such door at all.
 */
function passStripe(): void {
  const { trustedTypes } = window as { trustedTypes?: Factory } // as: not every browser has it, and the types don't know it yet
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', { createScriptURL: url => (isStripes(url) ? url : null) })
}

export function isStripes(address: string): boolean {
  const url = URL.parse(address, window.location.href)
  return url?.protocol === 'https:' && /^([\w-]+\.)*js\.stripe\.com$/.test(url.host)
}
