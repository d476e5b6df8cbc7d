import type Stripe from 'stripe'
import type { SandboxContext } from '../../context.ts'
import { invalid, missing } from '../../http/api-error.ts'
import { route } from '../../http/route.ts'
import type { SetupIntent } from '../../objects/billing-objects.ts'
import { customerById } from '../find-by-id.ts'
import { mergeMetadata } from '../params.ts'
import { assertClientSecret, cancelIntent, confirmIntent, intentError, newSetupIntent } from './intents.ts'
import { paymentMethodById } from './saved-cards.ts'

function setupIntentById(context: SandboxContext, id: string): SetupIntent {
  const intent = context.store.get('setup_intent', id)
  if (!intent) throw missing('setupintent', id, 'intent')
  return intent
}

function confirm(
  context: SandboxContext,
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
  confirmIntent(context, intent, paymentMethodById(context, id))
  const refusal = intentError(intent)
  if (refusal) throw refusal
  return intent
}

route<Stripe.SetupIntentCreateParams>(
  'POST',
  '/v1/setup_intents',
  'SetupIntentCreateParams',
  ({ context, params }) => {
    const customer = params.customer ? customerById(context, params.customer, 'customer').id : null
    const method = params.payment_method ? paymentMethodById(context, params.payment_method).id : null
    const intent = newSetupIntent(context, {
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
    context.store.save(intent)
    return params.confirm ? confirm(context, intent, undefined, params.return_url) : intent
  },
)

route<Stripe.SetupIntentRetrieveParams>(
  'GET',
  '/v1/setup_intents/:id',
  'SetupIntentRetrieveParams',
  ({ context, id, publishable, clientSecret }) => {
    const intent = setupIntentById(context, id)
    assertClientSecret(intent, publishable, clientSecret)
    return intent
  },
  { publishable: true },
)

route<Stripe.SetupIntentConfirmParams>(
  'POST',
  '/v1/setup_intents/:id/confirm',
  'SetupIntentConfirmParams',
  ({ context, params, id, publishable, clientSecret }) => {
    const intent = setupIntentById(context, id)
    assertClientSecret(intent, publishable, clientSecret)
    return confirm(context, intent, params.payment_method, params.return_url)
  },
  { publishable: true },
)

route<Stripe.SetupIntentCancelParams>(
  'POST',
  '/v1/setup_intents/:id/cancel',
  'SetupIntentCancelParams',
  ({ context, params, id }) => {
    const intent = setupIntentById(context, id)
    cancelIntent(context, intent, params.cancellation_reason ?? null)
    return intent
  },
)
