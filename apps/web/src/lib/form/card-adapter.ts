export type CardFailure = { error: string; code?: string }
/** `refused` names what the bank said no to, so that the server can take back what it had begun. */
export type ConfirmFailure = CardFailure & { refused?: string }

/** What a form needs of the payment provider: a token for the card, and the proof of a payment. */
export type CardAdapter = {
  tokenize(): Promise<{ id: string } | CardFailure>
  confirm(
    clientSecret: string,
    kind: 'payment' | 'setup',
  ): Promise<{ status: 'succeeded'; id: string } | ConfirmFailure>
}
