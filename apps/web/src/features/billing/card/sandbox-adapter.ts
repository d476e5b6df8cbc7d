import { readSettings } from '../../../lib/api/settings.ts'
import type { CardAdapter, CardFailure } from '../../../lib/form/card-adapter.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { type CardValue, digitsOf } from '../../../ui/form/card-format.ts'
import { requestBankConfirmation } from './bank-confirmation.ts'
import { type CardPart, cardErrorOf, readExpiry } from './card-checks.ts'
import { toCardFailure } from './card-errors.ts'

type Fields = {
  /** Null while the card is empty. */
  read: () => CardValue | null
  /** Sets the input that gets the focus after a failed check. */
  markInvalid: (part: CardPart) => void
}

/** Creates card tokens and confirms payments through the sandbox. */
export function sandboxAdapter({ read, markInvalid }: Fields): CardAdapter {
  return {
    async tokenize() {
      const card = read()
      if (!card) return { error: t('billing.card.required'), code: 'incomplete' }
      const cardError = cardErrorOf(card, new Date())
      if (cardError) {
        markInvalid(cardError.part)
        return { error: t(cardError.text), code: 'incomplete' }
      }
      const answer = await callSandbox('POST', '/v1/payment_methods', cardParams(card))
      return 'error' in answer ? answer : { id: String(answer.object.id) }
    },

    async confirm(clientSecret, kind) {
      const id = clientSecret.split('_secret_')[0] ?? clientSecret
      const readIntent = () =>
        callSandbox(
          'GET',
          `/v1/${kind}_intents/${id}?${new URLSearchParams({ client_secret: clientSecret })}`,
        )
      let intent = await readIntent()
      if ('object' in intent && intent.object.status === 'requires_action') {
        const { origin } = await sandboxAddress()
        const result = await requestBankConfirmation({ origin, intent: id, secret: clientSecret })
        if (result === 'canceled') return { error: t('billing.card.bank_canceled'), code: 'canceled' }
        // The message only says that the page is done; the intent contains the outcome.
        intent = await readIntent()
      }
      if ('error' in intent) return intent
      const { status, last_payment_error, last_setup_error } = intent.object
      if (status === 'succeeded') return { status, id }
      return { ...toCardFailure(last_payment_error ?? last_setup_error), refused: id }
    },
  }
}

function cardParams(card: CardValue): URLSearchParams {
  const expiry = readExpiry(card.exp, new Date())
  return new URLSearchParams({
    type: 'card',
    'card[number]': digitsOf(card.number),
    'card[exp_month]': String(expiry?.month),
    'card[exp_year]': String(expiry?.year),
    'card[cvc]': digitsOf(card.cvc),
  })
}

async function sandboxAddress(): Promise<{ origin: string; key: string }> {
  const { payments } = await readSettings()
  if (!payments.sandbox_url) throw new Error('The settings contain no sandbox_url')
  return { origin: new URL(payments.sandbox_url).origin, key: payments.publishable_key }
}

type StripeObject = Record<string, unknown>
type Result = { object: StripeObject } | CardFailure

async function callSandbox(method: 'GET' | 'POST', path: string, params?: URLSearchParams): Promise<Result> {
  try {
    const { origin, key } = await sandboxAddress()
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      body: params ?? null,
      credentials: 'omit',
    })
    const object = (await response.json()) as StripeObject // as: the sandbox always answers an object, also for errors
    return response.ok ? { object } : toCardFailure(object.error)
  } catch (error) {
    console.error(error)
    return { error: t('billing.card.no_answer'), code: 'no_answer' }
  }
}
