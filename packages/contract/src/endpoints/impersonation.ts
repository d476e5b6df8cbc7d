import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { email, id, proofFields, signInReply, time, token } from '../fields.ts'

export const impersonation = endpoints({
  makeLink: {
    method: 'POST',
    path: '/api/impersonation',
    summary:
      'Creates a link with which the caller can act as a user who allows support access. It works once, for half an hour.',
    needs: 'master',
    stage: 'session',
    limit: 'write',
    refuses: ['proof_required', 'password_wrong', 'code_wrong', 'user_unknown', 'support_not_enabled'],
    body: z.strictObject({ email, account: id.optional(), ...proofFields }),
    reply: z.object({ url: z.string(), expires_at: time }),
  },
  begin: {
    method: 'POST',
    path: '/api/auth/impersonate',
    summary: 'Starts a support session as the user of the caller’s link. It lasts half an hour.',
    needs: 'master',
    sensitive: true,
    stage: 'session',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: signInReply,
  },
})
