import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { id, name, nothing, proof, time } from './fields.ts'
import { pageSize, paging } from './paging.ts'
import { limits } from './patterns.ts'
import { scopes } from './scopes.ts'

const scope = z
  .array(z.enum(scopes, { error: 'form.invalid' }), { error: 'form.key.scope' })
  .min(1, { error: 'form.key.scope' })
  .max(scopes.length, { error: 'form.invalid' })
  .transform(chosen => scopes.filter(one => chosen.includes(one)))
  .meta({ description: 'What it may do: values of GET /api/key/scopes.' })

/** A name, asked for in words of its own. */
const keyName = z
  .string({ error: 'form.key.name' })
  .refine(value => value.trim() !== '', { error: 'form.key.name', abort: true })
  .pipe(name)
  .meta({ minLength: 1, maxLength: limits.name, examples: ['Warehouse sync'] })

const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Warehouse sync'] }),
    key: z.string().meta({
      description: 'Masked: its beginning and its end.',
      examples: ['plinth_live_7Qd4••••••••x2Lm'],
    }),
    scope: z.array(z.enum(scopes)).meta({ examples: [['usage.create']] }),
    active: z.boolean().meta({ description: 'Neither revoked nor expired.' }),
    revealable: z.boolean().meta({ description: 'Whether the whole key can be shown again.' }),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable().meta({ description: 'Exact to a minute.' }),
    date_created: time,
    created_by: z
      .string()
      .nullable()
      .meta({
        description: 'Whose permission it acts with; null when they are gone.',
        examples: ['Inês Carvalho'],
      }),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

export const apiKeys = endpoints({
  list: {
    method: 'GET',
    path: '/api/key',
    summary: `The API keys of the account, the newest first, ${pageSize} at a time; \`page\` beside \`data\` leads on.`,
    needs: 'developer',
    paged: true,
    query: z.strictObject(paging(['name', 'date_created'])),
    reply: z.array(apiKey),
  },
  create: {
    method: 'POST',
    path: '/api/key',
    summary:
      'Makes a key that acts with your permission. The whole key is in this answer and in no list; `revealable` tells whether it can be shown again. Asks for proof unless the sign-in is fresh.',
    needs: 'developer',
    sensitive: true,
    limit: 'write',
    idempotent: true,
    refuses: ['limit_reached', 'keys_full', 'proof_required', 'password_wrong', 'code_wrong'],
    body: z.strictObject({
      name: keyName,
      scope,
      expires_at: time
        .nullable()
        .optional()
        .meta({ description: 'When it stops working. Never, without it.', examples: [null] }),
      ...proof,
    }),
    reply: apiKey.extend({
      full_key: z
        .string()
        .nullable()
        .meta({
          description: 'Null where the call is repeated under its Idempotency-Key: it is told once.',
          examples: ['plinth_live_7Qd4mT1vRk8sYw3LbN6hZx9cJf2pEg5uA0x2Lm'],
        }),
    }),
  },
  scopes: {
    method: 'GET',
    path: '/api/key/scopes',
    summary: 'What a key can be allowed to do.',
    needs: 'developer',
    reply: z.array(z.object({ value: z.string(), label: z.string() })).meta({
      examples: [[{ value: 'usage.create', label: 'Report usage' }]],
    }),
  },
  allowance: {
    method: 'GET',
    path: '/api/key/allowance',
    summary: 'How many active keys there are, how many the plan allows, and the plan that allows more.',
    needs: 'developer',
    reply: z.object({
      used: z.int(),
      limit: z.int().nullable(),
      plan: z.string().nullable().meta({ description: 'To be bought when there is no room; else null.' }),
    }),
  },
  read: {
    method: 'GET',
    path: '/api/key/:id',
    summary: 'One key, in a list of one.',
    needs: 'developer',
    refuses: ['not_found'],
    params: z.strictObject({ id }),
    reply: z.array(apiKey),
  },
  reveal: {
    method: 'POST',
    path: '/api/key/:id/reveal',
    summary:
      'The whole of an active key once more, in a list of one. Asks for proof unless the sign-in is fresh, and is written into the audit log.',
    needs: 'developer',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'key_hidden', 'proof_required', 'password_wrong', 'code_wrong'],
    params: z.strictObject({ id }),
    body: z.strictObject(proof).optional(),
    reply: z.array(z.object({ id: z.uuid(), key: z.string() })),
  },
  update: {
    method: 'PATCH',
    path: '/api/key/:id',
    summary:
      'Changes the name or the scopes of a key, or revokes it for ever with `active: false`. A scope that is added asks for proof unless the sign-in is fresh.',
    needs: 'developer',
    sensitive: true,
    limit: 'write',
    refuses: [
      'not_found',
      'key_revoked',
      'operation_in_flight',
      'proof_required',
      'password_wrong',
      'code_wrong',
    ],
    params: z.strictObject({ id }),
    body: z.strictObject({
      name: keyName.optional(),
      scope: scope.optional(),
      active: z.literal(false, { error: 'form.key.final' }).optional(),
      ...proof,
    }),
    reply: apiKey,
  },
  remove: {
    method: 'DELETE',
    path: '/api/key',
    summary: 'Deletes keys, all of them or, when one is not there, none.',
    needs: 'developer',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found'],
    body: z.strictObject({
      id: z
        .array(id, { error: 'form.invalid' })
        .min(1, { error: 'form.required' })
        .max(pageSize, { error: 'form.invalid' }),
    }),
    reply: nothing,
  },
})
