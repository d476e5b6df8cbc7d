import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { ApiError, invalid, missing } from '../../http/api-error.ts'
import type {
  Intent,
  PaymentError,
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
} from '../../objects/billing-objects.ts'
import { newId, randomText } from '../../objects/ids.ts'
import { emitEvent } from '../events/emit-event.ts'
import { clockOfCustomer } from '../find-by-id.ts'
import { chargeOf, openDispute } from './charges.ts'
import { attachCard } from './saved-cards.ts'
import { declineError, testCardOf } from './test-cards.ts'

const saveAndEmitIntent = (context: SandboxContext, type: string, intent: Intent) =>
  emitEvent(context, type, context.store.save(intent), {
    at: currentTime(context, clockOfCustomer(context, intent.customer)),
  })

const allowedTypes = { payment_method_types: ['card'] }

export function newPaymentIntent(
  context: SandboxContext,
  fields: Partial<PaymentIntent> & { amount: number; customer: string },
): PaymentIntent {
  const id = newId('pi')
  const intent = newObject<PaymentIntent>('PaymentIntent', 'pi', {
    created: currentTime(context, clockOfCustomer(context, fields.customer)),
    client_secret: `${id}_secret_${randomText(24)}`,
    status: 'requires_payment_method',
    metadata: {},
    _invoice: null,
    ...fields,
    id,
  })
  Object.assign(intent, { ...allowedTypes, capture_method: 'automatic', confirmation_method: 'automatic' })
  saveAndEmitIntent(context, 'payment_intent.created', intent)
  return intent
}

export function newSetupIntent(context: SandboxContext, fields: Partial<SetupIntent>): SetupIntent {
  const id = newId('seti')
  const intent = newObject<SetupIntent>('SetupIntent', 'seti', {
    created: currentTime(context, clockOfCustomer(context, fields.customer ?? null)),
    client_secret: `${id}_secret_${randomText(24)}`,
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    metadata: {},
    usage: 'off_session',
    ...fields,
    id,
  })
  Object.assign(intent, allowedTypes)
  saveAndEmitIntent(context, 'setup_intent.created', intent)
  return intent
}

const challengeUrl = (context: SandboxContext, intent: Intent) =>
  `${context.origin}/sandbox/3ds/${intent.id}?client_secret=${intent.client_secret}`

function requireAction(context: SandboxContext, intent: Intent) {
  const url = challengeUrl(context, intent)
  intent.status = 'requires_action'
  intent.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
  }
  saveAndEmitIntent(context, `${intent.object}.requires_action`, intent)
}

function failIntent(context: SandboxContext, intent: Intent, error: PaymentError) {
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.payment_method = null
  if (intent.object === 'payment_intent') {
    intent.last_payment_error = error
    saveAndEmitIntent(context, 'payment_intent.payment_failed', intent)
  } else {
    intent.last_setup_error = error
    saveAndEmitIntent(context, 'setup_intent.setup_failed', intent)
  }
}

function completeIntent(context: SandboxContext, intent: Intent, method: PaymentMethod) {
  intent.status = 'succeeded'
  intent.next_action = null
  method._setUp = true
  context.store.save(method)
  if (intent.object === 'payment_intent') {
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    const charge = chargeOf(context, intent)
    saveAndEmitIntent(context, 'payment_intent.succeeded', intent)
    if (testCardOf(method._number).behaviour === 'disputed') openDispute(context, charge)
  } else {
    intent.last_setup_error = null
    if (intent.customer) attachCard(context, method, intent.customer)
    saveAndEmitIntent(context, 'setup_intent.succeeded', intent)
  }
}

const errorWith = (context: SandboxContext, method: PaymentMethod, error: PaymentError): PaymentError => ({
  ...error,
  payment_method: structuredClone(context.store.get('payment_method', method.id) ?? method),
})

/** Confirms an intent with a card. The card number decides the resulting status. */
export function confirmIntent(context: SandboxContext, intent: Intent, method: PaymentMethod) {
  intent.payment_method = method.id
  const { behaviour } = testCardOf(method._number)
  const asks =
    behaviour === 'challenge_always' ||
    behaviour === 'challenge_then_declined' ||
    (behaviour === 'challenge_unless_set_up' && !method._setUp)
  if (asks) return requireAction(context, intent)
  const declines =
    behaviour === 'attach_declined' || (behaviour === 'charge_declined' && intent.object === 'payment_intent')
  if (declines) return failIntent(context, intent, errorWith(context, method, declineError(method._number)))
  return completeIntent(context, intent, method)
}

/** Applies the outcome of the 3D Secure page. */
export function resolveChallenge(context: SandboxContext, intent: Intent, outcome: 'complete' | 'fail') {
  if (intent.status !== 'requires_action')
    throw invalid(`This intent is ${intent.status}: there is nothing to authenticate.`)
  const method = context.store.get('payment_method', intent.payment_method ?? '')
  if (!method) throw missing('PaymentMethod', intent.payment_method ?? '')
  if (outcome === 'fail')
    return failIntent(
      context,
      intent,
      errorWith(context, method, {
        type: 'invalid_request_error',
        code: `${intent.object}_authentication_failure`,
        message: 'The provided PaymentMethod has failed authentication. Provide a new one and try again.',
      }),
    )
  const declines = testCardOf(method._number).behaviour === 'challenge_then_declined'
  if (declines && intent.object === 'payment_intent')
    return failIntent(context, intent, errorWith(context, method, declineError(method._number)))
  return completeIntent(context, intent, method)
}

/** The 402 error of a declined intent; it includes the intent, as at Stripe. */
export function intentError(intent: Intent): ApiError | undefined {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error
  if (!error || intent.status !== 'requires_payment_method') return undefined
  const type = error.type === 'card_error' ? 'card_error' : 'invalid_request_error'
  return new ApiError(402, { ...error, type, [intent.object]: structuredClone(intent) })
}

/** With the publishable key, access to an intent needs its client secret. */
export function assertClientSecret(
  intent: Intent,
  publishable: boolean,
  clientSecret: string | null | undefined,
) {
  if (!publishable && !clientSecret) return
  if (clientSecret !== intent.client_secret)
    throw invalid(
      'The client_secret provided does not match any associated intent on this account.',
      'client_secret',
      'resource_missing',
    )
}

export function cancelIntent(context: SandboxContext, intent: Intent, reason: string | null) {
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(
      `You cannot cancel this intent because it has a status of ${intent.status}.`,
      undefined,
      `${intent.object}_unexpected_state`,
    )
  intent.status = 'canceled'
  intent.next_action = null
  intent.cancellation_reason = reason
  if (intent.object === 'payment_intent')
    intent.canceled_at = currentTime(context, clockOfCustomer(context, intent.customer))
  saveAndEmitIntent(context, `${intent.object}.canceled`, intent)
}
