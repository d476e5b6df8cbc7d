import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, id, time, token } from '../fields.ts'

const device = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'The session of this call.' }),
    browser: z
      .string()
      .nullable()
      .meta({ examples: ['Firefox'] }),
    system: z
      .string()
      .nullable()
      .meta({ examples: ['macOS'] }),
    network: z
      .string()
      .nullable()
      .meta({ description: 'The first parts of the IP address.', examples: ['203.0.113.x'] }),
    method: z.string().meta({ description: 'The sign-in method.', examples: ['password'] }),
    created_at: time,
    last_used_at: time,
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof device>

export const sessions = endpoints({
  list: {
    method: 'GET',
    path: '/api/user/sessions',
    summary: 'Lists the user’s sessions, this one first.',
    needs: 'user',
    stage: 'session',
    allowedBeforeSecondFactor: true,
    support: false,
    reply: z.array(device),
  },
  end: {
    method: 'DELETE',
    path: '/api/user/sessions/:id',
    summary: 'Ends one of the user’s sessions.',
    needs: 'user',
    stage: 'session',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    refuses: ['not_found'],
    params: z.strictObject({ id }),
    reply: emptyObject,
  },
  endOthers: {
    method: 'DELETE',
    path: '/api/user/sessions',
    summary: 'Ends all sessions of the user except this one.',
    needs: 'user',
    stage: 'session',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    reply: z.object({ ended: z.number().int() }),
  },
  endByLink: {
    method: 'POST',
    path: '/api/auth/session/end',
    summary: 'Ends all sessions and unfinished sign-ins of the user, with the link from a new-device mail.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: emptyObject,
  },
})
