import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { id, nothing, proof, safeText, time } from './fields.ts'

/** Somebody at a social provider who may sign in as this user. */
const identity = z
  .object({
    id: z.uuid(),
    provider: z.string().meta({ examples: ['google'] }),
    name: z.string().meta({ examples: ['Google'] }),
    /** The address that the provider last named; it may differ from the user's. */
    email: z.string().nullable(),
    connected_at: time,
    last_used_at: time,
  })
  .meta({ id: 'Identity' })

const guarded = ['proof_required', 'password_wrong', 'code_wrong'] as const

/**
 * Sign-in itself is two page loads, GET /auth/social/:provider and its callback, and then POST /api/auth with the token
 * that the callback hands over.
 */
export const social = endpoints({
  identities: {
    method: 'GET',
    path: '/api/user/identities',
    summary: 'The social providers that the signed-in user can sign in with.',
    needs: 'user',
    stage: 'session',
    support: false,
    reply: z.array(identity),
  },
  connect: {
    method: 'POST',
    path: '/api/user/identities',
    summary:
      'Begins to connect a social provider; answers where the browser goes on. Asks for proof unless the sign-in is fresh.',
    needs: 'user',
    stage: 'verified',
    limit: 'write',
    refuses: ['provider_unknown', 'provider_connected', 'social_failed', ...guarded],
    body: z.strictObject({
      provider: safeText(20)
        .min(1, { error: 'form.required' })
        .meta({ examples: ['google'] }),
      ...proof,
    }),
    reply: z.object({
      url: z.url().meta({ examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=northquay'] }),
    }),
  },
  disconnect: {
    method: 'DELETE',
    path: '/api/user/identities/:id',
    summary:
      'Disconnects a social provider, unless there is no other way in. Asks for proof unless the sign-in is fresh.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['not_found', 'last_way_in', ...guarded],
    params: z.object({ id }),
    body: z.strictObject(proof).optional(),
    reply: nothing,
  },
})
