import type { Context, Services, Tx } from '../../context.ts'
import { hashToken } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import { tell } from './notices.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

/** What a secret is sealed for: another user's row does not open it. */
export const twoFactorBinding = (userId: string) => `two_factors ${userId}`

export type Tried = 'app' | 'backup' | 'wrong'

/**
 * Tries a code of a user whose second factor is on. Counts the failure in the caller's transaction, which therefore
 * must not be given up because of it. Parallel tries wait for one another at the user's row, so none is looked at that
 * is not counted; used up is used up for right codes too.
 *
 * @param options.backup whether the backup code is taken as well, and used up
 */
export async function tryCode(
  ctx: Context,
  tx: Tx,
  { user_id }: { user_id: string },
  typed: string,
  { backup = false } = {},
): Promise<Tried> {
  const now = ctx.now()
  const held = await store.lockTwoFactor(tx, user_id)
  if (!held?.sealed_secret) return 'wrong'
  const failures = rules.failuresNow(held.failures, held.failures_since, now)
  if (failures.count >= rules.failuresPerHour)
    throw new Refusal('too_many_requests', {
      retryAfter: rules.secondsUntilForgotten(failures.since, now),
      text: 'two_factor.too_many',
    })
  const code = rules.plainCode(typed)
  if (await takeAppCode(ctx, tx, { ...held, sealed_secret: held.sealed_secret }, code)) return 'app'
  if (backup && !rules.isAppCode(code) && (await store.consumeBackupCode(tx, user_id, hashToken(code)))) {
    await tell(ctx, tx, user_id, 'backup_used')
    return 'backup'
  }
  await store.updateFailures(tx, user_id, failures.count + 1, failures.since)
  if (failures.count + 1 === rules.failuresPerHour) await tell(ctx, tx, user_id, 'guessed')
  return 'wrong'
}

async function takeAppCode(
  services: Services,
  tx: Tx,
  held: { user_id: string; sealed_secret: string; last_step: number },
  code: string,
): Promise<boolean> {
  if (!rules.isAppCode(code)) return false
  const secret = services.encrypter.decrypt(held.sealed_secret, twoFactorBinding(held.user_id))
  const step = rules.stepOf(secret, code, services.now(), held.last_step)
  return step !== null && store.consumeStep(tx, held.user_id, step)
}

/** Whether a user has the second factor on. */
export async function hasTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  return Boolean((await store.findTwoFactor(tx, userId))?.enabled_at)
}
