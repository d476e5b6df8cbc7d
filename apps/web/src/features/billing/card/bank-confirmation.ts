import { createStore } from '../../../lib/store.ts'

export type BankConfirmation = { origin: string; intent: string; secret: string }
export type BankResult = 'answered' | 'canceled'

/** The confirmation that is open in the dialog; null when there is none. */
export const bankConfirmation = createStore<(BankConfirmation & { end: (end: BankResult) => void }) | null>(
  null,
)

/** Opens the confirmation page of the bank; resolves when it has a result or is closed. */
export function requestBankConfirmation(confirmation: BankConfirmation): Promise<BankResult> {
  return new Promise(resolve => {
    bankConfirmation.set({
      ...confirmation,
      end(end) {
        bankConfirmation.set(null)
        resolve(end)
      },
    })
  })
}

/** The result in a window message; null unless the confirmation page sent it for this payment. */
export function bankResultOf(
  event: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  { origin, intent }: BankConfirmation,
  frame: Window | null | undefined,
): BankResult | null {
  if (event.origin !== origin || !frame || event.source !== frame) return null
  const { type, intent: messageIntent, outcome } = (event.data ?? {}) as Record<string, unknown> // as: each field is checked below
  if (type !== 'plinth-3ds' || (messageIntent !== undefined && messageIntent !== intent)) return null
  return outcome === 'cancel' ? 'canceled' : 'answered'
}
