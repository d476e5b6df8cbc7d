import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { nothing, safeText } from './fields.ts'

/** Values of product events are flat and small: an event is a fact, not a document. */
const metadata = z
  .record(safeText(50), z.union([safeText(200), z.number(), z.boolean(), z.null()]))
  .refine(value => Object.keys(value).length <= 20, { error: 'form.invalid' })

const event = z.strictObject({
  name: z
    .string({ error: 'form.required' })
    .regex(/^[a-z][a-z0-9_]{0,49}$/, { error: 'form.invalid' })
    .meta({ examples: ['report_opened'] }),
  metadata: metadata.optional(),
})
export type ProductEvent = z.output<typeof event>

/** What one call takes at most; whoever has more sends more calls. */
export const eventBatch = 20

export const events = endpoints({
  track: {
    method: 'POST',
    path: '/api/event',
    summary:
      'Records a product event, or several at once. Sent with an API key, each counts towards the month that the plan allows.',
    needs: 'user',
    scope: 'event.create',
    // Onboarding and later: anybody can sign up, and would fill the table (T-81).
    stage: 'verified',
    limit: 'write',
    // Of a key's events alone.
    refuses: ['limit_reached'],
    body: z.union([
      event,
      z.strictObject({
        events: z
          .array(event, { error: 'form.invalid' })
          .min(1, { error: 'form.invalid' })
          .max(eventBatch, { error: 'form.invalid' }),
      }),
    ]),
    reply: nothing,
  },
})
