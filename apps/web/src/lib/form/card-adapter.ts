export type CardFailure = { error: string; code?: string }
/**
 * `refused`: id of the payment or setup that the bank refused; sent to the server, which cancels the attempt.
 */
export type ConfirmFailure = CardFailure & { refused?: string }

/** The payment provider's functions that a form uses. */
export type CardAdapter = {
  tokenize(): Promise<{ id: string } | CardFailure>
  confirm(
    clientSecret: string,
    kind: 'payment' | 'setup',
  ): Promise<{ status: 'succeeded'; id: string } | ConfirmFailure>
}
