import { createHash } from 'node:crypto'
import type { Quote } from '@plinth/contract'
import type { Due } from '../../../integrations/stripe/payments.ts'

/**
 * @param facts everything the price depends on
 * @param prorationDate the second that divides the period; part of the quote, so that the charge uses the same one
 */
export function makeQuote(
  { amount, currency }: Pick<Quote, 'amount' | 'currency'>,
  facts: readonly unknown[],
  prorationDate: Date | null = null,
): Quote {
  const seconds = prorationDate && prorationDate.getTime() / 1000
  const digest = createHash('sha256')
    .update(JSON.stringify([amount, currency, seconds, ...facts]))
    .digest('base64url')
    .slice(0, 22)
  return { amount, currency, state: seconds === null ? digest : `${digest}.${seconds}` }
}

/** The quote of a card change: the open invoices, or nothing. */
export const quoteCard = (accountId: string, due: Pick<Due, 'owed' | 'amount' | 'currency'> | null): Quote =>
  makeQuote({ amount: due?.amount ?? 0, currency: due?.currency ?? 'usd' }, [accountId, 'card', due?.owed])

export const isSameQuote = (one: Quote, other: Quote): boolean =>
  one.amount === other.amount && one.currency === other.currency && one.state === other.state

/** The second since 1970 at which a quoted change divides the period. */
export function prorationSecondOf({ state }: Quote): number | undefined {
  const seconds = Number(state.split('.')[1])
  return Number.isSafeInteger(seconds) ? seconds : undefined
}

type Quoted = { quoted_amount: number | null; quoted_currency: string | null; quoted_state: string | null }

/** The quote as columns of an attempt. */
export const quotedColumns = (quote: Quote | null): Quoted => ({
  quoted_amount: quote?.amount ?? null,
  quoted_currency: quote?.currency ?? null,
  quoted_state: quote?.state ?? null,
})

export function quoteIn({ quoted_amount, quoted_currency, quoted_state }: Quoted): Quote | null {
  if (quoted_amount === null || quoted_currency === null || quoted_state === null) return null
  return { amount: quoted_amount, currency: quoted_currency, state: quoted_state }
}

/** A repeated call matches the attempt unless it names another quote. */
export const hasSameQuote = (attempt: Quoted, quote: Quote | null): boolean =>
  quote === null || attempt.quoted_state === quote.state
