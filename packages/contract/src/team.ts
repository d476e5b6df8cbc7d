import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { givenRole, time } from './fields.ts'
import { limits } from './patterns.ts'

const invite = z.object({
  id: z
    .uuid()
    .meta({ description: 'Names the invite in lists. The mailed link carries another, secret one.' }),
  email: z.string(),
  permission: givenRole,
  date_sent: time,
})

export const team = endpoints({
  permissions: {
    method: 'GET',
    path: '/api/user/permissions',
    summary: 'The roles that you can give in an invite, keyed by name. Never the owner.',
    needs: 'user',
    reply: z.record(z.string(), z.object({ label: z.string() })).meta({
      examples: [
        {
          admin: { label: 'Administrator' },
          developer: { label: 'Developer' },
          user: { label: 'User' },
        },
      ],
    }),
  },
  invite: {
    method: 'POST',
    path: '/api/invite',
    summary:
      'Invites one or several addresses, or none if one of them is wrong. Answers the invites just sent.',
    needs: 'admin',
    limit: 'invite',
    idempotent: true,
    refuses: ['already_member', 'limit_reached'],
    body: z.strictObject({
      email: z
        .string({ error: 'form.required' })
        .min(1, { error: 'form.required' })
        .max(limits.email * limits.invite_emails, { error: 'form.max_length' })
        .meta({
          description: `Up to ${limits.invite_emails} addresses, separated by commas. One that was invited before gets a new link.`,
          examples: ['ines@northquay.example, jonas@northquay.example'],
        }),
      permission: givenRole
        .default('user')
        .meta({ description: 'One of the roles that GET /api/user/permissions lists for you.' }),
    }),
    reply: z.array(invite),
  },
})
