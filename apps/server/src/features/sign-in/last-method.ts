import type { Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countMethods } from './last-method-store.ts'
import { hasOtherMethod } from './rules.ts'

/** Call it after removing a sign-in method: refuses when that was the last one. Magic links do not count. */
export async function refuseLastMethod(tx: Tx, user: { id: string; password_hash: string | null }) {
  const left = { has_password: user.password_hash !== null, ...(await countMethods(tx, user.id)) }
  if (!hasOtherMethod(left)) throw new Refusal('last_way_in')
}
