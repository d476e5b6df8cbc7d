import type { Context, Services, Tx } from '../context.ts'
import { hashToken } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import { notifyTwoFactorChange } from './notify-two-factor.ts'
import * as codes from './two-factor-codes.ts'
import * as store from './two-factor-store.ts'

/** Binds an encrypted secret to its user: it does not decrypt in another user's row. */
export const twoFactorBinding = (userId: string) => `two_factors ${userId}`

export type CodeResult = 'app' | 'backup' | 'wrong'

/**
 * Tries a code of a user whose second factor is on. A failure is counted in the caller's transaction, which must commit
 * even so. Parallel tries wait at the user's row, so every try is counted; at the limit right codes are refused too.
 * @param options.backup accepts the backup code as well, and uses it
 */
export async function tryCode(
  ctx: Context,
  tx: Tx,
  { user_id }: { user_id: string },
  typed: string,
  { backup = false } = {},
): Promise<CodeResult> {
  const now = ctx.now()
  const held = await store.lockTwoFactor(tx, user_id)
  if (!held?.sealed_secret) return 'wrong'
  const failures = codes.failuresNow(held.failures, held.failures_since, now)
  if (failures.count >= codes.failuresPerHour)
    throw new Refusal('too_many_requests', {
      retryAfter: codes.secondsUntilReset(failures.since, now),
      text: 'two_factor.too_many',
    })
  const code = codes.plainCode(typed)
  if (await tryAppCode(ctx, tx, { ...held, sealed_secret: held.sealed_secret }, code)) return 'app'
  if (backup && !codes.isAppCode(code) && (await store.consumeBackupCode(tx, user_id, hashToken(code)))) {
    await notifyTwoFactorChange(ctx, tx, user_id, 'backup_used')
    return 'backup'
  }
  await store.updateFailures(tx, user_id, failures.count + 1, failures.since)
  if (failures.count + 1 === codes.failuresPerHour) await notifyTwoFactorChange(ctx, tx, user_id, 'guessed')
  return 'wrong'
}

async function tryAppCode(
  services: Services,
  tx: Tx,
  held: { user_id: string; sealed_secret: string; last_step: number },
  code: string,
): Promise<boolean> {
  if (!codes.isAppCode(code)) return false
  const secret = services.encrypter.decrypt(held.sealed_secret, twoFactorBinding(held.user_id))
  const step = codes.stepOf(secret, code, services.now(), held.last_step)
  return step !== null && store.consumeTimeStep(tx, held.user_id, step)
}

export async function hasTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  return Boolean((await store.findTwoFactor(tx, userId))?.enabled_at)
}
