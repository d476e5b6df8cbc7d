import type { Endpoint } from '@plinth/contract'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import { translate } from '../lib/i18n.ts'

/** What a call can refuse: what follows from its place in the contract, and what it names itself. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const { needs, stage = 'active', limit, body, query, params, idempotent, refuses = [], scope } = endpoint
  const codes: (RefusalCode | false)[] = [
    needs !== 'public' && 'session_required',
    scope !== undefined && 'key_unknown',
    scope !== undefined && 'scope_required',
    needs !== 'public' && scope === undefined && 'key_not_allowed',
    (scope !== undefined || (needs !== 'public' && needs !== 'user')) && 'permission_required',
    needs !== 'public' && stage !== 'session' && 'verification_required',
    needs !== 'public' && (stage === 'planned' || stage === 'active') && 'plan_required',
    needs !== 'public' && stage === 'active' && 'subscription_inactive',
    ...refuses,
    Boolean(body || query || params) && 'invalid_input',
    Boolean(body) && 'unknown_field',
    Boolean(body) && 'malformed_body',
    Boolean(body) && 'body_too_large',
    Boolean(body) && 'unsupported_media_type',
    idempotent === true && 'operation_in_flight',
    idempotent === true && 'idempotency_key_reused',
    (limit !== undefined || scope !== undefined) && 'too_many_requests',
    'busy',
  ]
  return [...new Set(codes.filter(code => code !== false))].sort((a, b) => refusals[a] - refusals[b])
}

/** The text of a code as a client reads it, with example words where the text has places for some. */
export const messageOf = (code: RefusalCode) =>
  translate('en', `refusals.${code}`, { label: 'Email', field: 'colour', wait: 'in 12 minutes' })

const failureOf = (code: RefusalCode) => ({
  message: messageOf(code),
  code,
  ...(code === 'invalid_input' ? { inputError: 'email' } : {}),
  ...(code === 'unknown_field' ? { inputError: 'colour' } : {}),
  ...(refusals[code] === 402 ? { plan: 'startup' } : {}),
})

/** The failures of a call as OpenAPI responses, one for each status. */
export function failureResponses(endpoint: Endpoint) {
  const byStatus = Map.groupBy(refusalsOf(endpoint), code => refusals[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, status === 429 ? tooMany : failureResponse(codes)]),
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
  },
  required: ['message', 'code'],
}
