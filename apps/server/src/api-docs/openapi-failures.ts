import type { Endpoint } from '@plinth/contract'
import { reachesStage, type Stage } from '@plinth/contract/access'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import { translate } from '../lib/i18n.ts'

/** Calls of one kind, in words for the API page, and what each of them can be refused with, whatever it does. */
type Rule = { calls: string; meets: (endpoint: Endpoint) => boolean; codes: RefusalCode[] }

const signedIn = ({ needs }: Endpoint) => needs !== 'public'
const withKeys = ({ scope }: Endpoint) => scope !== undefined
const asksFor = (least: Stage) => (endpoint: Endpoint) =>
  signedIn(endpoint) && reachesStage(endpoint.stage ?? 'active', least)

const admission: Rule[] = [
  { calls: 'For people who are signed in', meets: signedIn, codes: ['session_required'] },
  {
    calls: 'For people who are signed in, except what a master needs to set up a second factor',
    meets: endpoint => signedIn(endpoint) && !endpoint.allowedBeforeSecondFactor,
    codes: ['second_factor_missing'],
  },
  { calls: 'Open to API keys', meets: withKeys, codes: ['key_unknown', 'scope_required'] },
  {
    calls: 'Open to sessions only',
    meets: endpoint => signedIn(endpoint) && !withKeys(endpoint),
    codes: ['key_not_allowed'],
  },
  {
    calls: 'For some roles only, or open to API keys',
    meets: endpoint => withKeys(endpoint) || (signedIn(endpoint) && endpoint.needs !== 'user'),
    codes: ['permission_required'],
  },
  {
    calls: 'That need a confirmed email address, or more',
    meets: asksFor('verified'),
    codes: ['verification_required'],
  },
  { calls: 'That need a plan', meets: asksFor('planned'), codes: ['plan_required'] },
  { calls: 'That need a plan in force', meets: asksFor('active'), codes: ['subscription_inactive'] },
]

const treatment: Rule[] = [
  {
    calls: 'With fields in the query or a body',
    meets: ({ body, query }) => Boolean(body || query),
    codes: ['invalid_input'],
  },
  { calls: 'With an id in the path', meets: ({ params }) => params !== undefined, codes: ['not_found'] },
  {
    calls: 'With a body',
    meets: ({ body }) => body !== undefined,
    codes: ['unknown_field', 'malformed_body', 'body_too_large', 'request_timeout', 'unsupported_media_type'],
  },
  {
    calls: 'That take an Idempotency-Key',
    meets: ({ idempotent }) => idempotent === true,
    codes: ['operation_in_flight', 'idempotency_key_reused'],
  },
  {
    calls: 'With a budget, or open to API keys',
    meets: endpoint => endpoint.limit !== undefined || withKeys(endpoint),
    codes: ['too_many_requests'],
  },
  { calls: 'All', meets: () => true, codes: ['busy'] },
]

/** What follows from a call's place in the contract: said once on the API page, and with each call in the document. */
export const rules = [...admission, ...treatment]

export const byStatus = (codes: readonly RefusalCode[]) =>
  [...new Set(codes)].sort((a, b) => refusals[a] - refusals[b])

/** Codes that the endpoint's own row names. */
export const ownRefusalsOf = ({ refuses = [] }: Endpoint) => byStatus(refuses)

/** All error codes of a call. Within one status: authorization first, then the call's own, then generic ones. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const met = (some: Rule[]) => some.filter(({ meets }) => meets(endpoint)).flatMap(({ codes }) => codes)
  return byStatus([...met(admission), ...(endpoint.refuses ?? []), ...met(treatment)])
}

const exampleValues = {
  count: 20,
  field: 'colour',
  label: 'Email',
  most: 64,
  scope: 'event.create',
  wait: 'in 12 minutes',
}
/** The message of a code with example values, as the API documentation shows it. */
export const messageOf = (code: RefusalCode) => translate('en', `refusals.${code}`, exampleValues)

const failureOf = (code: RefusalCode) => ({
  message: messageOf(code),
  code,
  ...(code === 'invalid_input' ? { inputError: 'email' } : {}),
  ...(code === 'unknown_field' ? { inputError: 'colour' } : {}),
  ...(refusals[code] === 402 ? { plan: 'startup' } : {}),
  ...(code === 'price_changed'
    ? { data: { quote: { amount: 4800, currency: 'usd', state: 'pZGm1Av0IEBKARczz7exkN' } } }
    : {}),
})

/** The failures of a call as OpenAPI responses, one for each status. */
export function failureResponses(endpoint: Endpoint) {
  const groups = Map.groupBy(refusalsOf(endpoint), code => refusals[code])
  return Object.fromEntries(
    [...groups].map(([status, codes]) => [status, status === 429 ? tooMany : failureResponse(codes)]),
  )
}

const failureResponse = (codes: RefusalCode[]) => ({
  description: codes.map(code => `\`${code}\`: ${messageOf(code)}`).join('\n\n'),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      examples: Object.fromEntries(codes.map(code => [code, { value: failureOf(code) }])),
    },
  },
})

const tooMany = {
  description: '`too_many_requests`: the body is the translated text itself.',
  headers: {
    'Retry-After': { description: 'Seconds until another try makes sense.', schema: { type: 'integer' } },
  },
  content: {
    'text/plain': { schema: { type: 'string' }, example: messageOf('too_many_requests') },
  },
}

/** The one shape of every failure. */
export const failureSchema = {
  type: 'object',
  description: 'Every answer that is no success, except 429, which is plain text.',
  properties: {
    message: { type: 'string', description: 'Translated, fit to be shown.' },
    code: {
      type: 'string',
      description: 'Stable; decide by this one.',
      enum: [...Object.keys(refusals), 'unexpected'],
    },
    inputError: { type: 'string', description: 'The field of the request that caused it.' },
    passkey: {
      type: 'boolean',
      description: 'With `proof_required`: `POST /api/user/passkeys/proof` would be a proof as well.',
    },
    plan: { type: 'string', description: 'With every 402: the plan that would allow it.' },
    data: {
      type: 'object',
      description:
        'With `price_changed`: `quote` is the price of the moment. For a plan it comes with the whole preview, as `GET /api/account/plan/preview` answers it.',
      properties: {
        quote: {
          type: 'object',
          properties: {
            amount: { type: 'integer', description: 'Minor units.' },
            currency: { type: 'string' },
            state: { type: 'string' },
          },
          required: ['amount', 'currency', 'state'],
        },
      },
    },
  },
  required: ['message', 'code'],
}
