import { readSettings } from '../../../lib/api/settings.ts'
import type { CardAdapter, CardFailure } from '../../../lib/form/card-adapter.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { type CardValue, digitsOf } from '../../../ui/form/card-format.ts'
import { requestBankConfirmation } from './bank-confirmation.ts'
import { type CardPart, faultOf, readExpiry } from './card-checks.ts'
import { refused } from './card-errors.ts'

type Wiring = {
  /** The card as typed, null while it is empty. */
  read: () => CardValue | null
  /** Which box the next focus belongs to. */
  blame: (part: CardPart) => void
}

/** The sandbox as payment provider: the two things a form asks of one. */
export function sandboxAdapter({ read, blame }: Wiring): CardAdapter {
  return {
    async tokenize() {
      const card = read()
      if (!card) return { error: t('billing.card.required'), code: 'incomplete' }
      const fault = faultOf(card, new Date())
      if (fault) {
        blame(fault.part)
        return { error: t(fault.text), code: 'incomplete' }
      }
      const answer = await ask('POST', '/v1/payment_methods', paramsOf(card))
      return 'error' in answer ? answer : { id: String(answer.object.id) }
    },

    async confirm(clientSecret, kind) {
      const id = clientSecret.split('_secret_')[0] ?? clientSecret
      const look = () =>
        ask('GET', `/v1/${kind}_intents/${id}?${new URLSearchParams({ client_secret: clientSecret })}`)
      let intent = await look()
      if ('object' in intent && intent.object.status === 'requires_action') {
        const { origin } = await provider()
        const end = await requestBankConfirmation({ origin, intent: id, secret: clientSecret })
        if (end === 'canceled') return { error: t('billing.card.bank_canceled'), code: 'canceled' }
        // What the page said is only a hint to look again: the intent itself decides.
        intent = await look()
      }
      if ('error' in intent) return intent
      const { status, last_payment_error, last_setup_error } = intent.object
      if (status === 'succeeded') return { status, id }
      return { ...refused(last_payment_error ?? last_setup_error), refused: id }
    },
  }
}

function paramsOf(card: CardValue): URLSearchParams {
  const expiry = readExpiry(card.exp, new Date())
  return new URLSearchParams({
    type: 'card',
    'card[number]': digitsOf(card.number),
    'card[exp_month]': String(expiry?.month),
    'card[exp_year]': String(expiry?.year),
    'card[cvc]': digitsOf(card.cvc),
  })
}

async function provider(): Promise<{ origin: string; key: string }> {
  const { payments } = await readSettings()
  if (!payments.sandbox_url) throw new Error('The sandbox takes cards only where the settings name it')
  return { origin: new URL(payments.sandbox_url).origin, key: payments.publishable_key }
}

type Thing = Record<string, unknown>
type Answer = { object: Thing } | CardFailure

async function ask(method: 'GET' | 'POST', path: string, params?: URLSearchParams): Promise<Answer> {
  try {
    const { origin, key } = await provider()
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      body: params ?? null,
      credentials: 'omit',
    })
    const object = (await response.json()) as Thing // as: the provider answers an object, failures included
    return response.ok ? { object } : refused(object.error)
  } catch (error) {
    console.error(error)
    return { error: t('billing.card.no_answer'), code: 'no_answer' }
  }
}
