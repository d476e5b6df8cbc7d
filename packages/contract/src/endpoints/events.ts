import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, safeText } from '../fields.ts'

const max = { entries: 20, text: 4000 }
const scalar = z.union([safeText(200), z.number(), z.boolean(), z.null()])
const listOf = <T extends z.ZodType>(value: T) => z.array(value).max(max.entries)
const objectOf = <T extends z.ZodType>(value: T) =>
  z.record(safeText(50), value).refine(fields => Object.keys(fields).length <= max.entries)
const shallow = z.union([scalar, listOf(scalar), objectOf(scalar)])

const metadata = objectOf(z.union([scalar, listOf(shallow), objectOf(shallow)]))
  .refine(value => JSON.stringify(value).length <= max.text, { error: 'form.invalid' })
  .meta({
    description: `At most three levels, ${max.entries} entries a level and ${max.text} characters of JSON.`,
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

export const maxEventsPerCall = 20

export const events = endpoints({
  track: {
    method: 'POST',
    path: '/api/event',
    summary:
      'Records one or several product events. Events sent with an API key count towards the plan’s monthly limit.',
    needs: 'user',
    scope: 'event.create',
    // Unverified users could fill the table: anyone can sign up.
    stage: 'verified',
    limit: 'write',
    // Applies to events sent with an API key only.
    refuses: ['limit_reached'],
    body: z.union([
      event,
      z.strictObject({
        events: z
          .array(event, { error: 'form.invalid' })
          .min(1, { error: 'form.invalid' })
          .max(maxEventsPerCall, { error: 'form.invalid' }),
      }),
    ]),
    reply: emptyObject,
  },
})
