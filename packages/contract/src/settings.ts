import { z } from 'zod'
import { endpoints } from './endpoint.ts'

export const settings = endpoints({
  read: {
    method: 'GET',
    path: '/api/settings',
    summary: 'What a browser must know of this installation: how cards are taken, which languages exist.',
    needs: 'public',
    reply: z.object({
      payments: z.object({
        publishable_key: z.string(),
        /** Where the sandbox takes cards, or null when the real provider does. */
        sandbox_url: z.string().nullable(),
      }),
      /** The inbox page of the sandbox, or null when mail goes to real people. */
      inbox_url: z.string().nullable(),
      /** Whom one can sign in with instead of a password; the buttons lead to /auth/social/<id>. */
      social: z.array(z.object({ id: z.string(), name: z.string() })),
      support_email: z.string(),
      locales: z.array(z.string()),
    }),
  },
})
