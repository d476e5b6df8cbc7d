import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, id, proofFields, safeText, time } from '../fields.ts'

/** A social provider's account that can sign in as this user. */
const identity = z
  .object({
    id: z.uuid(),
    provider: z.string().meta({ examples: ['google'] }),
    name: z.string().meta({ examples: ['Google'] }),
    /** The address at the provider; it may differ from the user's. */
    email: z.string().nullable(),
    connected_at: time,
    last_used_at: time,
  })
  .meta({ id: 'Identity' })

const guarded = ['proof_required', 'password_wrong', 'code_wrong'] as const

/**
 * Social sign-in is two page loads, GET /auth/social/:provider and its callback, followed by POST /api/auth with the
 * callback's token.
 */
export const social = endpoints({
  identities: {
    method: 'GET',
    path: '/api/user/identities',
    summary: 'Lists the connected social providers of the signed-in user.',
    needs: 'user',
    stage: 'session',
    support: false,
    reply: z.array(identity),
  },
  connect: {
    method: 'POST',
    path: '/api/user/identities',
    summary:
      'Starts connecting a social provider and returns the URL to open. Needs proof unless the sign-in is recent.',
    needs: 'user',
    stage: 'verified',
    limit: 'write',
    refuses: ['provider_unknown', 'provider_connected', 'social_failed', ...guarded],
    body: z.strictObject({
      provider: safeText(20)
        .min(1, { error: 'form.required' })
        .meta({ examples: ['google'] }),
      ...proofFields,
    }),
    reply: z.object({
      url: z.url().meta({ examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=northquay'] }),
    }),
  },
  disconnect: {
    method: 'DELETE',
    path: '/api/user/identities/:id',
    summary:
      'Disconnects a social provider. Refused for the only sign-in method. Needs proof unless the sign-in is recent.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['not_found', 'last_way_in', ...guarded],
    params: z.object({ id }),
    body: z.strictObject(proofFields).optional(),
    reply: emptyObject,
  },
})
