import { z } from 'zod'
import { safeText } from './fields.ts'

/** The price that the user saw. Calls that charge send it back and are refused when the price has changed. */
export const quote = z
  .object({
    /** Minor units. */
    amount: z.int(),
    currency: z.string(),
    state: z.string().meta({
      description: 'Digest of all inputs of the price.',
      examples: ['pZGm1Av0IEBKARczz7exkN'],
    }),
  })
  .meta({ id: 'Quote' })
export type Quote = z.infer<typeof quote>

/** The quote in a request body. */
export const sentQuote = z
  .strictObject({
    // The provider’s maximum amount.
    amount: z
      .int({ error: 'form.invalid' })
      .min(0, { error: 'form.invalid' })
      .max(99_999_999, { error: 'form.invalid' }),
    currency: z.string().regex(/^[a-z]{3}$/, { error: 'form.invalid' }),
    state: safeText(64),
  })
  .optional()
  .meta({
    description:
      'The price that a preview quoted. If the price has changed, the call is refused with `price_changed` and nothing is charged. Without a quote the current price is charged.',
  })
