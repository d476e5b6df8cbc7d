import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { nothing, safeText } from './fields.ts'

const most = { entries: 20, text: 4000 }
const scalar = z.union([safeText(200), z.number(), z.boolean(), z.null()])
const listOf = <T extends z.ZodType>(value: T) => z.array(value).max(most.entries)
const objectOf = <T extends z.ZodType>(value: T) =>
  z.record(safeText(50), value).refine(fields => Object.keys(fields).length <= most.entries)
const shallow = z.union([scalar, listOf(scalar), objectOf(scalar)])

/** An event is a fact, not a document: small, and three levels deep at most. */
const metadata = objectOf(z.union([scalar, listOf(shallow), objectOf(shallow)]))
  .refine(value => JSON.stringify(value).length <= most.text, { error: 'form.invalid' })
  .meta({
    description: `Three levels deep at most, ${most.entries} entries a level, ${most.text} characters of JSON.`,
    examples: [{ page: '/dashboard' }],
  })

const event = z.strictObject({
  name: z
    .string({ error: 'form.required' })
    .regex(/^[a-z][a-z0-9_]{0,49}$/, { error: 'form.invalid' })
    .meta({ examples: ['report_opened'] }),
  metadata: metadata.nullish(),
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
