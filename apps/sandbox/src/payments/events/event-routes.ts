import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missing } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { StripeEvent, WebhookEndpoint } from '../../objects/billing-objects.ts'
import { mergeMetadata } from '../params.ts'

/** Whether all deliveries of the event succeeded. */
const isDelivered = (context: SandboxContext, { id }: StripeEvent) =>
  context.store.all('delivery').every(one => one.event !== id || one.state === 'done')

route<Stripe.EventListParams>('GET', '/v1/events', 'EventListParams', ({ context, params, path }) => {
  const { type, types, delivery_success: success } = params
  const wanted = (name: string) => {
    if (types) return types.includes(name)
    return !type || type === name || (type.endsWith('.*') && name.startsWith(type.slice(0, -1)))
  }
  return paginate(
    context.store
      .all('event')
      .filter(
        event => wanted(event.type) && (success === undefined || isDelivered(context, event) === success),
      ),
    path,
    params,
  )
})

function assertUrl(url: string) {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw invalid('Invalid URL: an explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
}

function endpointById(context: SandboxContext, id: string): WebhookEndpoint {
  const endpoint = context.store.get('webhook_endpoint', id)
  if (!endpoint) throw missing('webhook endpoint', id)
  return endpoint
}

/** Only the create call returns the secret. */
const withoutSecret = ({ secret: _secret, ...endpoint }: WebhookEndpoint) => endpoint

route<Stripe.WebhookEndpointCreateParams>(
  'POST',
  '/v1/webhook_endpoints',
  'WebhookEndpointCreateParams',
  ({ context, params }) => {
    assertUrl(params.url)
    const endpoint = newObject<WebhookEndpoint>('WebhookEndpoint', 'we', {
      created: sandboxTime(context),
      api_version: params.api_version ?? null,
      description: params.description || null,
      enabled_events: [...params.enabled_events],
      metadata: mergeMetadata({}, params.metadata),
      secret: `whsec_${randomBytes(24).toString('hex')}`,
      status: 'enabled',
      url: params.url,
    })
    return context.store.save(endpoint)
  },
)

route<Stripe.WebhookEndpointListParams>(
  'GET',
  '/v1/webhook_endpoints',
  'WebhookEndpointListParams',
  ({ context, params, path }) => {
    const list = paginate(context.store.all('webhook_endpoint'), path, params)
    return { ...list, data: list.data.map(withoutSecret) }
  },
)

route('GET', '/v1/webhook_endpoints/:id', 'WebhookEndpointRetrieveParams', ({ context, id }) =>
  withoutSecret(endpointById(context, id)),
)

route<Stripe.WebhookEndpointUpdateParams>(
  'POST',
  '/v1/webhook_endpoints/:id',
  'WebhookEndpointUpdateParams',
  ({ context, params, id }) => {
    const endpoint = endpointById(context, id)
    if (params.url) {
      assertUrl(params.url)
      endpoint.url = params.url
    }
    if (params.enabled_events) endpoint.enabled_events = [...params.enabled_events]
    if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled'
    if (params.description !== undefined) endpoint.description = params.description || null
    endpoint.metadata = mergeMetadata(endpoint.metadata, params.metadata)
    context.store.save(endpoint)
    return withoutSecret(endpoint)
  },
)

route('DELETE', '/v1/webhook_endpoints/:id', 'WebhookEndpointDeleteParams', ({ context, id }) => {
  endpointById(context, id)
  context.store.remove('webhook_endpoint', id)
  return { id, object: 'webhook_endpoint', deleted: true }
})
