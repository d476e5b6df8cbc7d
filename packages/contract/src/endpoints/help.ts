import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, longText } from '../fields.ts'
import { limits } from '../patterns.ts'

/** The form sends these fields too. The server ignores them and uses the signed-in user. */
const shown = z
  .string({ error: 'form.invalid' })
  .max(limits.email, { error: 'form.max_length' })
  .optional()
  .meta({ description: 'Accepted and ignored; the signed-in user counts.' })

export const help = endpoints({
  send: {
    method: 'POST',
    path: '/api/utility/mail',
    summary: 'Sends a message from the signed-in user to support. Replies go to the user’s address.',
    needs: 'user',
    limit: 'write',
    idempotent: true,
    body: z.strictObject({
      message: longText(limits.help_message, 'form.message')
        .transform(value => value.trim())
        .pipe(z.string().min(1, { error: 'form.message' }))
        .meta({ minLength: 1, maxLength: limits.help_message }),
      template: z.literal('help', { error: 'form.invalid' }).optional(),
      email: shown,
      name: shown,
    }),
    reply: emptyObject,
  },
})
