import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { longText, nothing } from './fields.ts'
import { limits } from './patterns.ts'

/** What the form sends beside the message. The server knows who writes, and believes none of it (T-71). */
const shown = z
  .string({ error: 'form.invalid' })
  .max(limits.email, { error: 'form.max_length' })
  .optional()
  .meta({ description: 'Taken for the form’s sake and not believed.' })

export const help = endpoints({
  send: {
    method: 'POST',
    path: '/api/utility/mail',
    summary: 'Sends a message of the signed-in user to support. Answers go to their own address.',
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
    reply: nothing,
  },
})
