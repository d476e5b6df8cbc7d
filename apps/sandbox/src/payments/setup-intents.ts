import type Stripe from 'stripe'
import { invalid, missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import type { SetupIntent } from '../objects.ts'
import type { World } from '../world.ts'
import { customerById } from './find.ts'
import { assertMayTouch, attempt, cancelIntent, newSetupIntent, refusalOf } from './intents.ts'
import { mergeMetadata } from './params.ts'
import { paymentMethodById } from './saved-cards.ts'

function setupIntentById(world: World, id: string): SetupIntent {
  const intent = world.store.get('setup_intent', id)
  if (!intent) throw missing('setupintent', id, 'intent')
  return intent
}

function confirm(
  world: World,
  intent: SetupIntent,
  given: string | undefined,
  returnUrl: string | undefined,
) {
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(
      `You cannot confirm this SetupIntent because it has a status of ${intent.status}.`,
      undefined,
      'setup_intent_unexpected_state',
    )
  const id = given ?? intent.payment_method
  if (!id)
    throw invalid(
      'You cannot confirm this SetupIntent because it is missing a payment method.',
      'payment_method',
      'parameter_missing',
    )
  if (returnUrl) intent._returnUrl = returnUrl
  attempt(world, intent, paymentMethodById(world, id))
  const refusal = refusalOf(intent)
  if (refusal) throw refusal
  return intent
}

route<Stripe.SetupIntentCreateParams>(
  'POST',
  '/v1/setup_intents',
  'SetupIntentCreateParams',
  ({ world, params }) => {
    const customer = params.customer ? customerById(world, params.customer, 'customer').id : null
    const method = params.payment_method ? paymentMethodById(world, params.payment_method).id : null
    const intent = newSetupIntent(world, {
      customer,
      payment_method: method,
      metadata: mergeMetadata({}, params.metadata),
      usage: params.usage ?? 'off_session',
      _returnUrl: params.return_url ?? null,
    })
    const automatic = params.automatic_payment_methods
    Object.assign(intent, {
      description: params.description ?? null,
      automatic_payment_methods: automatic
        ? {
            enabled: automatic.enabled,
            ...(automatic.allow_redirects && { allow_redirects: automatic.allow_redirects }),
          }
        : null,
      allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    })
    world.store.save(intent)
    return params.confirm ? confirm(world, intent, undefined, params.return_url) : intent
  },
)

route<Stripe.SetupIntentRetrieveParams>(
  'GET',
  '/v1/setup_intents/:id',
  'SetupIntentRetrieveParams',
  ({ world, id, publishable, clientSecret }) => {
    const intent = setupIntentById(world, id)
    assertMayTouch(intent, publishable, clientSecret)
    return intent
  },
  { publishable: true },
)

route<Stripe.SetupIntentConfirmParams>(
  'POST',
  '/v1/setup_intents/:id/confirm',
  'SetupIntentConfirmParams',
  ({ world, params, id, publishable, clientSecret }) => {
    const intent = setupIntentById(world, id)
    assertMayTouch(intent, publishable, clientSecret)
    return confirm(world, intent, params.payment_method, params.return_url)
  },
  { publishable: true },
)

route<Stripe.SetupIntentCancelParams>(
  'POST',
  '/v1/setup_intents/:id/cancel',
  'SetupIntentCancelParams',
  ({ world, params, id }) => {
    const intent = setupIntentById(world, id)
    cancelIntent(world, intent, params.cancellation_reason ?? null)
    return intent
  },
)
