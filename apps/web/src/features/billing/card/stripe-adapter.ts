import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js'
import type { CardAdapter, CardFailure } from '../../../lib/form/card-adapter.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { cardErrorText, toCardFailure } from './card-errors.ts'

type Provider = Pick<Stripe, 'createPaymentMethod' | 'confirmCardPayment' | 'confirmCardSetup'>
type Intent = { id: string; status: string }
type Outcome = { intent?: Intent | undefined; error?: StripeError | undefined }

/** Creates card tokens and confirms payments through Stripe. */
export function stripeAdapter(stripe: Provider, card: StripeCardElement): CardAdapter {
  return {
    async tokenize() {
      const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card })
      return error ? failureOf(error) : { id: paymentMethod.id }
    },

    async confirm(clientSecret, kind) {
      const { intent, error } = await confirmIntent(stripe, clientSecret, kind)
      if (intent?.status === 'succeeded') return { status: 'succeeded', id: intent.id }
      const failure = error ? failureOf(error) : toCardFailure(null)
      // Without an intent the outcome is unknown: the payment may have been made.
      return intent ? { ...failure, refused: intent.id } : failure
    },
  }
}

async function confirmIntent(stripe: Provider, secret: string, kind: 'payment' | 'setup'): Promise<Outcome> {
  if (kind === 'payment') {
    const { paymentIntent, error } = await stripe.confirmCardPayment(secret)
    return { intent: paymentIntent ?? error?.payment_intent, error }
  }
  const { setupIntent, error } = await stripe.confirmCardSetup(secret)
  return { intent: setupIntent ?? error?.setup_intent, error }
}

function failureOf(error: StripeError): CardFailure {
  if (error.type === 'api_connection_error') return { error: t('billing.card.no_answer'), code: 'no_answer' }
  if (cardErrorText(error) || error.type === 'card_error') return toCardFailure(error)
  // Not the fault of the card or the bank, but of our request or of Stripe: log it.
  console.error(error)
  return { error: t('billing.card.processing'), code: error.code }
}
