import { z } from 'zod'
import { endpoints } from '../endpoint.ts'

export const settings = endpoints({
  read: {
    method: 'GET',
    path: '/api/settings',
    summary: 'Settings of this installation for the browser, for example payment keys and languages.',
    needs: 'public',
    reply: z.object({
      payments: z.object({
        publishable_key: z.string(),
        /** The sandbox's address; null with the real payment provider. */
        sandbox_url: z.string().nullable(),
      }),
      /** The sandbox's inbox page; null when mail is delivered. */
      inbox_url: z.string().nullable(),
      /** Social sign-in providers; their buttons open /auth/social/<id>. */
      social: z.array(z.object({ id: z.string(), name: z.string() })),
      support_email: z.string(),
      locales: z.array(z.string()),
    }),
  },
})
