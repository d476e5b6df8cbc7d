import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { safeText, time } from './fields.ts'

/** What one report can count at most: more is several reports. */
const most = 1_000_000

export const usage = endpoints({
  report: {
    method: 'POST',
    path: '/api/usage',
    summary:
      'Reports usage. It counts towards the month that the plan allows, and on a metered plan towards the bill. A report with an identifier that is known already changes nothing.',
    needs: 'developer',
    scope: 'usage.create',
    limit: 'write',
    refuses: ['limit_reached', 'idempotency_key_reused'],
    body: z.strictObject({
      quantity: z
        .int({ error: 'form.invalid' })
        .min(1, { error: 'form.invalid' })
        .max(most, { error: 'form.invalid' })
        .meta({ description: `1 to ${most}.`, examples: [25] }),
      identifier: safeText(100)
        .min(1, { error: 'form.required' })
        .optional()
        .meta({
          description: 'Your own name for this report: sent twice, it counts once.',
          examples: ['order-1042'],
        }),
      timestamp: time.optional().meta({
        description: 'When it was used: at most 35 days ago. Now, without it.',
        examples: ['2026-11-20T10:00:00Z'],
      }),
    }),
    reply: z.object({
      id: z.uuid(),
      quantity: z.int(),
      identifier: z.string().meta({ examples: ['order-1042'] }),
      timestamp: time,
    }),
  },
})
