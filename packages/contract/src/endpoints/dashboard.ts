import { z } from 'zod'
import { endpoints } from '../endpoint.ts'

export const dashboard = endpoints({
  demo: {
    method: 'GET',
    path: '/api/demo',
    summary: 'Deterministic demo figures of the account: four stats, two years of revenue, 200 users.',
    needs: 'user',
    compressed: true,
    reply: z.object({
      stats: z.array(
        z.object({
          label: z.string().meta({ examples: ['revenue'] }),
          value: z.number().meta({ examples: [1_284_000] }),
          unit: z.enum(['money', 'count']),
          icon: z.string(),
          /** Signed percentage as text, for example "+8.2%" or "-4.1%". */
          change: z.string(),
        }),
      ),
      revenue: z.object({
        /** First days of the last twelve months, oldest first. */
        months: z.array(z.string()),
        /** Minor units. */
        current: z.array(z.int()),
        previous: z.array(z.int()),
        currency: z.string(),
      }),
      users: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          email: z.string(),
          plan: z.string(),
          date_joined: z.string(),
          /** Minor units. */
          revenue: z.int(),
        }),
      ),
    }),
  },
})
