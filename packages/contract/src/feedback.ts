import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { longText, nothing } from './fields.ts'
import { limits } from './patterns.ts'

/** The three faces (specification, section 9). */
export const ratings = ['positive', 'neutral', 'negative'] as const
export type Rating = (typeof ratings)[number]

export const feedback = endpoints({
  send: {
    method: 'POST',
    path: '/api/feedback',
    summary: 'Says how the product works for the signed-in user.',
    needs: 'user',
    limit: 'write',
    idempotent: true,
    body: z.strictObject({
      rating: z.enum(ratings, { error: 'form.invalid' }),
      comment: longText(limits.feedback_comment).optional(),
    }),
    reply: nothing,
  },
})
