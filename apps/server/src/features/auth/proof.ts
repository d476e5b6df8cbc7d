import type { Tx } from '../../context.ts'
import * as store from './store.ts'

/**
 * For a door whose mailed secret has proven an address. Holds the address until the transaction ends, so that it is
 * proven for one person only, and answers who has it already.
 */
export async function holdAddress(
  tx: Tx,
  email: string,
): Promise<{ id: string; first_name: string; locale: string } | undefined> {
  await store.lockAddress(tx, email)
  return store.findVerifiedByEmail(tx, email)
}

/** The address is proven to be somebody's who is not here yet: every claim to it goes, with sessions and accounts. */
export const dropClaims = (tx: Tx, email: string) => store.removeUnproven(tx, email, null)

/** The address is proven to be this user's: every other, unproven claim to it goes, with sessions and accounts. */
export const dropOtherClaims = (tx: Tx, user: { id: string; email: string }) =>
  store.removeUnproven(tx, user.email, user.id)
