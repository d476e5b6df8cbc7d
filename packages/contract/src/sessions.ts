import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { id, nothing, time, token } from './fields.ts'

const device = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'The session that asks.' }),
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
      .meta({ description: 'Coarse: the first parts of the address.', examples: ['203.0.113.x'] }),
    method: z.string().meta({ description: 'The way in.', examples: ['password'] }),
    created_at: time,
    last_used_at: time,
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof device>

export const sessions = endpoints({
  list: {
    method: 'GET',
    path: '/api/user/sessions',
    summary: 'Where the user is signed in, this session first.',
    needs: 'user',
    stage: 'session',
    enrols: true,
    support: false,
    reply: z.array(device),
  },
  end: {
    method: 'DELETE',
    path: '/api/user/sessions/:id',
    summary: 'Ends one of the user’s own sessions.',
    needs: 'user',
    stage: 'session',
    enrols: true,
    limit: 'write',
    refuses: ['not_found'],
    params: z.strictObject({ id }),
    reply: nothing,
  },
  endOthers: {
    method: 'DELETE',
    path: '/api/user/sessions',
    summary: 'Ends every session of the user but this one.',
    needs: 'user',
    stage: 'session',
    enrols: true,
    limit: 'write',
    reply: z.object({ ended: z.number().int() }),
  },
  endByLink: {
    method: 'POST',
    path: '/api/auth/session/end',
    summary:
      'Ends every session and every half-done sign-in of the user whom a mail told of a new device, with the link of that mail.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token }),
    reply: nothing,
  },
})
