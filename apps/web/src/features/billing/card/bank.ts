import { createStore } from '../../../lib/store.ts'

export type BankQuestion = { origin: string; intent: string; secret: string }
export type BankEnd = 'answered' | 'canceled'

/** The question of a bank that is open in a dialog, and how it ends. */
export const bank = createStore<(BankQuestion & { end: (end: BankEnd) => void }) | null>(null)

/** Opens the bank's page over ours; settles when it has an answer or is closed. */
export function askBank(question: BankQuestion): Promise<BankEnd> {
  return new Promise(resolve => {
    bank.set({
      ...question,
      end(end) {
        bank.set(null)
        resolve(end)
      },
    })
  })
}

/** What a message from another window says about this question: nothing, unless the bank's page itself sent it. */
export function endOf(
  event: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  { origin, intent }: BankQuestion,
  frame: Window | null | undefined,
): BankEnd | null {
  if (event.origin !== origin || !frame || event.source !== frame) return null
  const { type, intent: about, outcome } = (event.data ?? {}) as Record<string, unknown> // as: each field is compared
  if (type !== 'plinth-3ds' || (about !== undefined && about !== intent)) return null
  return outcome === 'cancel' ? 'canceled' : 'answered'
}
