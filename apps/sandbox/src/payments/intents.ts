import { ApiError, invalid, missing } from '../http/api-error.ts'
import { newId, randomText } from '../ids.ts'
import type {
  Intent,
  NextAction,
  PaymentError,
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
} from '../objects.ts'
import { make, now, type World } from '../world.ts'
import { cardOf, declineOf } from './cards.ts'
import { chargeOf, openDispute } from './charges.ts'
import { emit } from './events.ts'
import { attach } from './saved-cards.ts'

export const clockOfCustomer = (world: World, id: string | null) =>
  id === null ? null : (world.store.get('customer', id)?.test_clock ?? null)

const told = (world: World, type: string, intent: Intent) =>
  emit(world, type, world.store.save(intent), { at: now(world, clockOfCustomer(world, intent.customer)) })

const allowedTypes = { payment_method_types: ['card'] }

export function newPaymentIntent(
  world: World,
  fields: Partial<PaymentIntent> & { amount: number; customer: string },
): PaymentIntent {
  const id = newId('pi')
  const intent = make<PaymentIntent>('PaymentIntent', 'pi', {
    created: now(world, clockOfCustomer(world, fields.customer)),
    client_secret: `${id}_secret_${randomText(24)}`,
    status: 'requires_payment_method',
    metadata: {},
    _invoice: null,
    _returnUrl: null,
    ...fields,
    id,
  })
  Object.assign(intent, { ...allowedTypes, capture_method: 'automatic', confirmation_method: 'automatic' })
  told(world, 'payment_intent.created', intent)
  return intent
}

export function newSetupIntent(world: World, fields: Partial<SetupIntent>): SetupIntent {
  const id = newId('seti')
  const intent = make<SetupIntent>('SetupIntent', 'seti', {
    created: now(world, clockOfCustomer(world, fields.customer ?? null)),
    client_secret: `${id}_secret_${randomText(24)}`,
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    metadata: {},
    usage: 'off_session',
    _returnUrl: null,
    ...fields,
    id,
  })
  Object.assign(intent, allowedTypes)
  told(world, 'setup_intent.created', intent)
  return intent
}

/** Where the bank's page is; the sandbox has its own. */
const challengeUrl = (world: World, intent: Intent) =>
  `${world.origin}/sandbox/3ds/${intent.id}?client_secret=${intent.client_secret}`

function challenge(world: World, intent: Intent) {
  const url = challengeUrl(world, intent)
  const redirect: NextAction = {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: intent._returnUrl, url },
  }
  const inPage = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
  } as const
  intent.status = 'requires_action'
  intent.next_action = intent._returnUrl === null ? inPage : redirect
  if (intent.object === 'payment_intent') told(world, 'payment_intent.requires_action', intent)
  else told(world, 'setup_intent.requires_action', intent)
}

function refuse(world: World, intent: Intent, error: PaymentError) {
  intent.status = 'requires_payment_method'
  intent.next_action = null
  if (intent.object === 'payment_intent') {
    intent.last_payment_error = error
    intent.payment_method = null
    told(world, 'payment_intent.payment_failed', intent)
  } else {
    intent.last_setup_error = error
    intent.payment_method = null
    told(world, 'setup_intent.setup_failed', intent)
  }
}

function succeed(world: World, intent: Intent, method: PaymentMethod) {
  intent.status = 'succeeded'
  intent.next_action = null
  method._setUp = true
  world.store.save(method)
  if (intent.object === 'payment_intent') {
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    const charge = chargeOf(world, intent)
    told(world, 'payment_intent.succeeded', intent)
    if (cardOf(method._number).behaviour === 'disputed') openDispute(world, charge)
  } else {
    intent.last_setup_error = null
    if (intent.customer) attach(world, method, intent.customer)
    told(world, 'setup_intent.succeeded', intent)
  }
}

const errorWith = (world: World, method: PaymentMethod, error: PaymentError): PaymentError => ({
  ...error,
  payment_method: structuredClone(world.store.get('payment_method', method.id) ?? method),
})

/** Tries a card on an intent, as its number in the table says; the outcome is the intent's status. */
export function attempt(world: World, intent: Intent, method: PaymentMethod) {
  intent.payment_method = method.id
  const { behaviour } = cardOf(method._number)
  const asks =
    behaviour === 'challenge_always' ||
    behaviour === 'challenge_then_declined' ||
    (behaviour === 'challenge_unless_set_up' && !method._setUp)
  if (asks) return challenge(world, intent)
  const declines =
    behaviour === 'attach_declined' || (behaviour === 'charge_declined' && intent.object === 'payment_intent')
  if (declines) return refuse(world, intent, errorWith(world, method, declineOf(method._number)))
  return succeed(world, intent, method)
}

/** The customer has answered the bank's question. */
export function answerChallenge(world: World, intent: Intent, outcome: 'complete' | 'fail') {
  if (intent.status !== 'requires_action')
    throw invalid(`This intent is ${intent.status}: there is nothing to authenticate.`)
  const method = world.store.get('payment_method', intent.payment_method ?? '')
  if (!method) throw missing('PaymentMethod', intent.payment_method ?? '')
  const payment = intent.object === 'payment_intent'
  if (outcome === 'fail')
    return refuse(
      world,
      intent,
      errorWith(world, method, {
        type: 'invalid_request_error',
        code: payment ? 'payment_intent_authentication_failure' : 'setup_intent_authentication_failure',
        message: 'The provided PaymentMethod has failed authentication. Provide a new one and try again.',
      }),
    )
  if (payment && cardOf(method._number).behaviour === 'challenge_then_declined')
    return refuse(world, intent, errorWith(world, method, declineOf(method._number)))
  return succeed(world, intent, method)
}

/** The 402 that a confirm answers when the card said no; the intent comes with it, as from Stripe. */
export function refusalOf(intent: Intent): ApiError | undefined {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error
  if (!error || intent.status !== 'requires_payment_method') return undefined
  const type = error.type === 'card_error' ? 'card_error' : 'invalid_request_error'
  return new ApiError(402, { ...error, type, [intent.object]: structuredClone(intent) })
}

/** The publishable key opens an intent only together with its secret. */
export function assertMayTouch(
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

export function cancelIntent(world: World, intent: Intent, reason: string | null) {
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(
      `You cannot cancel this intent because it has a status of ${intent.status}.`,
      undefined,
      intent.object === 'payment_intent'
        ? 'payment_intent_unexpected_state'
        : 'setup_intent_unexpected_state',
    )
  intent.status = 'canceled'
  intent.next_action = null
  intent.cancellation_reason = reason
  if (intent.object === 'payment_intent')
    intent.canceled_at = now(world, clockOfCustomer(world, intent.customer))
  told(world, `${intent.object}.canceled`, intent)
}
