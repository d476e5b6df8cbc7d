import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { givenRole, time } from './fields.ts'
import { limits } from './patterns.ts'

const invite = z.object({
  id: z.uuid(),
  email: z.string(),
  permission: z.string(),
  date_sent: time,
})

export const team = endpoints({
  permissions: {
    method: 'GET',
    path: '/api/user/permissions',
    summary: 'The roles an invite can give, keyed by name.',
    needs: 'user',
    reply: z.record(z.string(), z.object({ label: z.string() })),
  },
  invite: {
    method: 'POST',
    path: '/api/invite',
    summary: 'Invites one or several addresses, separated by commas; answers the list of invites just sent.',
    needs: 'admin',
    limit: 'invite',
    idempotent: true,
    body: z.strictObject({
      email: z
        .string({ error: 'form.required' })
        .min(1, { error: 'form.required' })
        .max(limits.email * limits.invite_emails, { error: 'form.max_length' }),
      permission: givenRole.default('user'),
    }),
    reply: z.array(invite),
  },
})
