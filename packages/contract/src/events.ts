import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { nothing, safeText } from './fields.ts'

/** Values of product events are flat and small: an event is a fact, not a document. */
const metadata = z
  .record(safeText(50), z.union([safeText(200), z.number(), z.boolean(), z.null()]))
  .refine(value => Object.keys(value).length <= 20, { error: 'form.invalid' })

export const events = endpoints({
  track: {
    method: 'POST',
    path: '/api/event',
    summary: 'Records a product event.',
    needs: 'user',
    // Onboarding and later: anybody can sign up, and would fill the table (T-81).
    stage: 'verified',
    limit: 'write',
    body: z.strictObject({
      name: z
        .string({ error: 'form.required' })
        .regex(/^[a-z][a-z0-9_]{0,49}$/, { error: 'form.invalid' })
        .meta({ examples: ['report_opened'] }),
      metadata: metadata.optional(),
    }),
    reply: nothing,
  },
})
