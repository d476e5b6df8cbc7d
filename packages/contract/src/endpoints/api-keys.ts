import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, id, name, proofFields, time } from '../fields.ts'
import { pageSize, paging } from '../paging.ts'
import { limits } from '../patterns.ts'
import { scopes } from '../scopes.ts'

const scope = z
  .array(z.enum(scopes, { error: 'form.invalid' }), { error: 'form.key.scope' })
  .min(1, { error: 'form.key.scope' })
  .max(scopes.length, { error: 'form.invalid' })
  .transform(chosen => scopes.filter(one => chosen.includes(one)))
  .meta({ description: 'Scopes of the key: values of GET /api/key/scopes.' })

/** A name with its own message when it is missing. */
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
      description: 'Masked: only the first and last characters.',
      examples: ['plinth_live_7Qd4••••••••x2Lm'],
    }),
    scope: z.array(z.enum(scopes)).meta({ examples: [['usage.create']] }),
    active: z.boolean().meta({ description: 'Neither revoked nor expired.' }),
    revealable: z.boolean().meta({ description: 'Whether the full key can be shown again.' }),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable().meta({ description: 'Accurate to a minute.' }),
    date_created: time,
    created_by: z
      .string()
      .nullable()
      .meta({
        description: 'The user whose permission the key has; null when that user was deleted.',
        examples: ['Inês Carvalho'],
      }),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

export const apiKeys = endpoints({
  list: {
    method: 'GET',
    path: '/api/key',
    summary: `Lists the account’s API keys, the newest first, ${pageSize} a page. \`page\` beside \`data\` has the next cursor.`,
    needs: 'developer',
    paged: true,
    query: z.strictObject(paging(['name', 'date_created'])),
    reply: z.array(apiKey),
  },
  create: {
    method: 'POST',
    path: '/api/key',
    summary:
      'Creates a key with your permission. Only this reply contains the full key; `revealable` says whether it can be shown again. Needs proof unless the sign-in is recent.',
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
        .meta({ description: 'When the key expires. Default: never.', examples: [null] }),
      ...proofFields,
    }),
    reply: apiKey.extend({
      full_key: z
        .string()
        .nullable()
        .meta({
          description: 'Sent once: null when the call is repeated with the same Idempotency-Key.',
          examples: ['plinth_live_7Qd4mT1vRk8sYw3LbN6hZx9cJf2pEg5uA0x2Lm'],
        }),
    }),
  },
  scopes: {
    method: 'GET',
    path: '/api/key/scopes',
    summary: 'Lists the scopes that a key can have.',
    needs: 'developer',
    reply: z.array(z.object({ value: z.string(), label: z.string() })).meta({
      examples: [[{ value: 'usage.create', label: 'Report usage' }]],
    }),
  },
  allowance: {
    method: 'GET',
    path: '/api/key/allowance',
    summary: 'The number of active keys, the plan’s limit, and the next plan with a higher limit.',
    needs: 'developer',
    reply: z.object({
      used: z.int(),
      limit: z.int().nullable(),
      plan: z
        .string()
        .nullable()
        .meta({ description: 'The plan to upgrade to when the limit is reached; else null.' }),
    }),
  },
  read: {
    method: 'GET',
    path: '/api/key/:id',
    summary: 'Returns one key, as a list with one entry.',
    needs: 'developer',
    refuses: ['not_found'],
    params: z.strictObject({ id }),
    reply: z.array(apiKey),
  },
  reveal: {
    method: 'POST',
    path: '/api/key/:id/reveal',
    summary:
      'Returns an active key in full, as a list with one entry. Needs proof unless the sign-in is recent. Recorded in the audit log.',
    needs: 'developer',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'key_hidden', 'proof_required', 'password_wrong', 'code_wrong'],
    params: z.strictObject({ id }),
    body: z.strictObject(proofFields).optional(),
    reply: z.array(z.object({ id: z.uuid(), key: z.string() })),
  },
  update: {
    method: 'PATCH',
    path: '/api/key/:id',
    summary:
      'Changes the name or scopes of a key, or revokes it for good with `active: false`. Adding a scope needs proof unless the sign-in is recent.',
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
      ...proofFields,
    }),
    reply: apiKey,
  },
  remove: {
    method: 'DELETE',
    path: '/api/key',
    summary: 'Deletes the given keys. If one does not exist, none is deleted.',
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
    reply: emptyObject,
  },
})
