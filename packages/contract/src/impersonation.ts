import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { email, id, proof, signedIn, time, token } from './fields.ts'

export const impersonation = endpoints({
  makeLink: {
    method: 'POST',
    path: '/api/impersonation',
    summary:
      'Makes the link by which whoever asks may act as a user who allows it; works once, within half an hour.',
    needs: 'master',
    stage: 'session',
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'user_unknown', 'support_not_enabled'],
    body: z.strictObject({ email, account: id.optional(), ...proof }),
    reply: z.object({ url: z.string(), expires_at: time }),
  },
  begin: {
    method: 'POST',
    path: '/api/auth/impersonate',
    summary: 'Support acts as a user who allows it, for half an hour, by a link made for whoever asks.',
    needs: 'master',
    sensitive: true,
    stage: 'session',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: signedIn,
  },
})
