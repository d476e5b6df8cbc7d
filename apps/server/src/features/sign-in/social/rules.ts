import type { RefusalCode } from '@plinth/contract/refusals'

/** What decides who comes in by what a provider says. */
export type Seen = {
  /** Whom this very identity, (issuer, subject), belongs to. */
  identity: { user_id: string } | null
  /** What the provider says of the address. */
  email: string | null
  email_verified: boolean
  /**
   * Who has proven this address to us; whether somebody else of the same provider is theirs already, and whether they
   * have disconnected this very identity.
   */
  proven: { id: string; provider_connected: boolean; disconnected: boolean } | null
}

export type Entry =
  | { as: 'known'; user_id: string }
  | { as: 'linked'; user_id: string }
  | { as: 'new' }
  | { refused: RefusalCode }

/**
 * A known identity is its user, whatever address it comes with. An unknown one comes in by its address alone, and only
 * by one that the provider calls verified: to the user who has proven it to us too, or as somebody new (T-38, T-58).
 * Somebody else of the same provider under the same address means that the address has changed hands; and an identity
 * that its user has disconnected stays so until that user connects it.
 */
export function entryOf({ identity, email, email_verified, proven }: Seen): Entry {
  if (identity) return { as: 'known', user_id: identity.user_id }
  if (email === null) return { refused: 'social_email_missing' }
  if (!email_verified) return { refused: 'social_email_unverified' }
  if (!proven) return { as: 'new' }
  if (proven.provider_connected || proven.disconnected) return { refused: 'social_connect_first' }
  return { as: 'linked', user_id: proven.id }
}

/** Why an identity can't be connected to a user, if so. */
export function whyNotConnect(
  user: { id: string },
  owner: { user_id: string } | null,
  connected: boolean,
): RefusalCode | null {
  if (owner && owner.user_id !== user.id) return 'identity_taken'
  return connected || owner ? 'provider_connected' : null
}
