import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js'
import type { CardAdapter, CardFailure } from '../../../lib/form/card-adapter.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { cardErrorText, refused } from './card-errors.ts'

type Provider = Pick<Stripe, 'createPaymentMethod' | 'confirmCardPayment' | 'confirmCardSetup'>
type Intent = { id: string; status: string }
type Outcome = { intent?: Intent | undefined; error?: StripeError | undefined }

/** Stripe as payment provider: the two things a form asks of one. What is typed stays in Stripe's own frame. */
export function stripeAdapter(stripe: Provider, card: StripeCardElement): CardAdapter {
  return {
    async tokenize() {
      const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card })
      return error ? told(error) : { id: paymentMethod.id }
    },

    async confirm(clientSecret, kind) {
      const { intent, error } = await confirmed(stripe, clientSecret, kind)
      if (intent?.status === 'succeeded') return { status: 'succeeded', id: intent.id }
      const failure = error ? told(error) : refused(null)
      // Without the intent nothing is known but that Stripe could not be asked.
      return intent ? { ...failure, refused: intent.id } : failure
    },
  }
}

async function confirmed(stripe: Provider, secret: string, kind: 'payment' | 'setup'): Promise<Outcome> {
  if (kind === 'payment') {
    const { paymentIntent, error } = await stripe.confirmCardPayment(secret)
    return { intent: paymentIntent ?? error?.payment_intent, error }
  }
  const { setupIntent, error } = await stripe.confirmCardSetup(secret)
  return { intent: setupIntent ?? error?.setup_intent, error }
}

function told(error: StripeError): CardFailure {
  if (error.type === 'api_connection_error') return { error: t('billing.card.no_answer'), code: 'no_answer' }
  if (cardErrorText(error) || error.type === 'card_error') return refused(error)
  // Neither the card nor the bank: our call, our key or Stripe itself. For the log; the visitor can only try again.
  console.error(error)
  return { error: t('billing.card.processing'), code: error.code }
}
