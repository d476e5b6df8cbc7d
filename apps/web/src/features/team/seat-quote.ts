import type { Quote } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { readAnswer, useApi } from '../../lib/data/query.ts'
import { session, useSignedIn } from '../../lib/session/store.ts'

type SeatQuote = {
  quote: Quote | null
  /** False until the price is on the screen; until then no one can be added. */
  known: boolean
  failed: boolean
  retry: () => void
}

/** The price of one more seat. Only owners see prices; other users send no quote. */
export function useSeatQuote(): SeatQuote {
  const owner = useSignedIn().permission === 'owner'
  const { data, failed, retry } = useApi(api.billing.subscription, owner ? {} : null, { fresh: true })
  return {
    quote: data?.seat_quote ?? null,
    known: !owner || data !== undefined,
    failed: failed && data === undefined,
    retry,
  }
}

/** The quote on the screen, as part of a call's body; null while an owner sees no price. */
export function shownSeatQuote(): { quote?: Quote } | null {
  if (session.get()?.permission !== 'owner') return {}
  const quote = readAnswer(api.billing.subscription)?.seat_quote
  return quote ? { quote } : null
}
