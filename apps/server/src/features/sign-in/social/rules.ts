import type { RefusalCode } from '@plinth/contract/refusals'

/** The facts that decide a social sign-in. */
export type SocialFacts = {
  /** The user of this identity (issuer and subject). */
  identity: { user_id: string } | null
  /** The address that the provider states. */
  email: string | null
  email_verified: boolean
  /**
   * The verified user of the address; whether they have another identity of the provider, or have disconnected this
   * one.
   */
  proven: { id: string; provider_connected: boolean; disconnected: boolean } | null
}

export type SignInDecision =
  | { as: 'known'; user_id: string }
  | { as: 'linked'; user_id: string }
  | { as: 'new' }
  | { refused: RefusalCode }

/**
 * A known identity signs in its user, whatever its address. An unknown one needs an address that the provider has
 * verified: it signs in the verified user of the address, or a new user.
 *
 * Another identity of the same provider shows that the address has a new owner. A disconnected identity stays
 * disconnected until its user connects it.
 */
export function decideSignIn({ identity, email, email_verified, proven }: SocialFacts): SignInDecision {
  if (identity) return { as: 'known', user_id: identity.user_id }
  if (email === null) return { refused: 'social_email_missing' }
  if (!email_verified) return { refused: 'social_email_unverified' }
  if (!proven) return { as: 'new' }
  if (proven.provider_connected || proven.disconnected) return { refused: 'social_connect_first' }
  return { as: 'linked', user_id: proven.id }
}

/** Why an identity can't be connected to a user, or null. */
export function whyNotConnect(
  user: { id: string },
  owner: { user_id: string } | null,
  connected: boolean,
): RefusalCode | null {
  if (owner && owner.user_id !== user.id) return 'identity_taken'
  return connected || owner ? 'provider_connected' : null
}
