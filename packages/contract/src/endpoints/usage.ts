import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { safeText, time } from '../fields.ts'

const maxQuantity = 1_000_000

export const usage = endpoints({
  report: {
    method: 'POST',
    path: '/api/usage',
    summary:
      'Reports usage. It counts towards the plan’s monthly limit and, on a metered plan, towards the bill. A report with a known identifier changes nothing.',
    needs: 'developer',
    scope: 'usage.create',
    limit: 'write',
    refuses: ['limit_reached', 'idempotency_key_reused'],
    body: z.strictObject({
      quantity: z
        .int({ error: 'form.invalid' })
        .min(1, { error: 'form.invalid' })
        .max(maxQuantity, { error: 'form.invalid' })
        .meta({ description: `1 to ${maxQuantity}.`, examples: [25] }),
      identifier: safeText(100)
        .min(1, { error: 'form.required' })
        .optional()
        .meta({
          description: 'Your own id for this report: a report sent twice counts once.',
          examples: ['order-1042'],
        }),
      timestamp: time.optional().meta({
        description: 'Time of the usage, at most 35 days ago. Default: now.',
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
