import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, longText } from '../fields.ts'
import { limits } from '../patterns.ts'

export const ratings = ['positive', 'neutral', 'negative'] as const
export type Rating = (typeof ratings)[number]

export const feedback = endpoints({
  send: {
    method: 'POST',
    path: '/api/feedback',
    summary: 'Sends the signed-in user’s rating of the product.',
    needs: 'user',
    limit: 'write',
    idempotent: true,
    body: z.strictObject({
      rating: z.enum(ratings, { error: 'form.invalid' }),
      comment: longText(limits.feedback_comment).optional(),
    }),
    reply: emptyObject,
  },
})
