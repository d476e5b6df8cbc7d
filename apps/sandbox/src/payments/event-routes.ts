import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { invalid, missing } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { StripeEvent, WebhookEndpoint } from '../objects.ts'
import { make, type World, wallTime } from '../world.ts'
import { mergeMetadata } from './params.ts'

/** Whether every endpoint that wanted the event has taken it. */
const arrived = (world: World, { id }: StripeEvent) =>
  world.store.all('delivery').every(one => one.event !== id || one.state === 'done')

route<Stripe.EventListParams>('GET', '/v1/events', 'EventListParams', ({ world, params, path }) => {
  const { type, types, delivery_success: success } = params
  const wanted = (name: string) => {
    if (types) return types.includes(name)
    return !type || type === name || (type.endsWith('.*') && name.startsWith(type.slice(0, -1)))
  }
  return page(
    world.store
      .all('event')
      .filter(event => wanted(event.type) && (success === undefined || arrived(world, event) === success)),
    path,
    params,
  )
})

function assertUrl(url: string) {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw invalid('Invalid URL: an explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
}

function endpointById(world: World, id: string): WebhookEndpoint {
  const endpoint = world.store.get('webhook_endpoint', id)
  if (!endpoint) throw missing('webhook endpoint', id)
  return endpoint
}

/** The secret is told once, by create. */
const withoutSecret = ({ secret: _secret, ...endpoint }: WebhookEndpoint) => endpoint

route<Stripe.WebhookEndpointCreateParams>(
  'POST',
  '/v1/webhook_endpoints',
  'WebhookEndpointCreateParams',
  ({ world, params }) => {
    assertUrl(params.url)
    const endpoint = make<WebhookEndpoint>('WebhookEndpoint', 'we', {
      created: wallTime(world),
      api_version: params.api_version ?? null,
      description: params.description || null,
      enabled_events: [...params.enabled_events],
      metadata: mergeMetadata({}, params.metadata),
      secret: `whsec_${randomBytes(24).toString('hex')}`,
      status: 'enabled',
      url: params.url,
    })
    return world.store.save(endpoint)
  },
)

route<Stripe.WebhookEndpointListParams>(
  'GET',
  '/v1/webhook_endpoints',
  'WebhookEndpointListParams',
  ({ world, params, path }) => {
    const list = page(world.store.all('webhook_endpoint'), path, params)
    return { ...list, data: list.data.map(withoutSecret) }
  },
)

route('GET', '/v1/webhook_endpoints/:id', 'WebhookEndpointRetrieveParams', ({ world, id }) =>
  withoutSecret(endpointById(world, id)),
)

route<Stripe.WebhookEndpointUpdateParams>(
  'POST',
  '/v1/webhook_endpoints/:id',
  'WebhookEndpointUpdateParams',
  ({ world, params, id }) => {
    const endpoint = endpointById(world, id)
    if (params.url) {
      assertUrl(params.url)
      endpoint.url = params.url
    }
    if (params.enabled_events) endpoint.enabled_events = [...params.enabled_events]
    if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled'
    if (params.description !== undefined) endpoint.description = params.description || null
    endpoint.metadata = mergeMetadata(endpoint.metadata, params.metadata)
    world.store.save(endpoint)
    return withoutSecret(endpoint)
  },
)

route('DELETE', '/v1/webhook_endpoints/:id', 'WebhookEndpointDeleteParams', ({ world, id }) => {
  endpointById(world, id)
  world.store.remove('webhook_endpoint', id)
  return { id, object: 'webhook_endpoint', deleted: true }
})
