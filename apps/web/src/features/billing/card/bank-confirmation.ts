import { createStore } from '../../../lib/store.ts'

export type BankConfirmation = { origin: string; intent: string; secret: string }
export type BankResult = 'answered' | 'canceled'

/** The question of a bank that is open in a dialog, and how it ends. */
export const bank = createStore<(BankConfirmation & { end: (end: BankResult) => void }) | null>(null)

/** Opens the bank's page over ours; settles when it has an answer or is closed. */
export function requestBankConfirmation(question: BankConfirmation): Promise<BankResult> {
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
  { origin, intent }: BankConfirmation,
  frame: Window | null | undefined,
): BankResult | null {
  if (event.origin !== origin || !frame || event.source !== frame) return null
  const { type, intent: about, outcome } = (event.data ?? {}) as Record<string, unknown> // as: each field is compared
  if (type !== 'plinth-3ds' || (about !== undefined && about !== intent)) return null
  return outcome === 'cancel' ? 'canceled' : 'answered'
}
