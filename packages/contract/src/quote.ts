import { z } from 'zod'
import { safeText } from './fields.ts'

/** A price as the person saw it. A call that moves money sends it back and is refused when it has changed. */
export const quote = z
  .object({
    /** Minor units. */
    amount: z.int(),
    currency: z.string(),
    state: z.string().meta({
      description: 'Digest of everything that the price depends on.',
      examples: ['pZGm1Av0IEBKARczz7exkN'],
    }),
  })
  .meta({ id: 'Quote' })
export type Quote = z.infer<typeof quote>

/** The quote in a request body. */
export const sentQuote = z
  .strictObject({
    // The provider’s own limit of an amount.
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
      'The price you agreed to, as a preview quoted it. Refused with `price_changed`, and nothing charged, when it is another now. Without it the price of the moment is charged.',
  })
