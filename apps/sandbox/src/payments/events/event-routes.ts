import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { WebhookEndpoint } from '../../objects/stored-objects.ts'

listRoute('event', (one, { type }: Stripe.EventListParams) => isWanted(type, one.type))

function assertUrl(url: string) {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw invalid('Invalid URL: an explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
}

/** Only the create call returns the secret. */
const withoutSecret = (_: SandboxContext, { secret: _secret, ...endpoint }: WebhookEndpoint) => endpoint

route<Stripe.WebhookEndpointCreateParams>(
  'POST',
  '/v1/webhook_endpoints',
  'WebhookEndpointCreateParams',
  ({ context, params }) => {
    assertUrl(params.url)
    const endpoint = newObject<WebhookEndpoint>('WebhookEndpoint', 'we', {
      created: sandboxTime(context),
      api_version: params.api_version ?? null,
      enabled_events: [...params.enabled_events],
      metadata: {},
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
    return { ...list, data: list.data.map(one => withoutSecret(context, one)) }
  },
)

retrieveRoute('webhook_endpoint', withoutSecret)

route<Stripe.WebhookEndpointUpdateParams>(
  'POST',
  '/v1/webhook_endpoints/:id',
  'WebhookEndpointUpdateParams',
  ({ context, params, id }) => {
    const endpoint = findById(context, 'webhook_endpoint', id)
    if (params.enabled_events) endpoint.enabled_events = [...params.enabled_events]
    if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled'
    context.store.save(endpoint)
    return withoutSecret(context, endpoint)
  },
)

route('DELETE', '/v1/webhook_endpoints/:id', 'WebhookEndpointDeleteParams', ({ context, id }) => {
  findById(context, 'webhook_endpoint', id)
  context.store.remove('webhook_endpoint', id)
  return { id, object: 'webhook_endpoint', deleted: true }
})
