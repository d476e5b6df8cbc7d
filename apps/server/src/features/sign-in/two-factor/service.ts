import { randomBytes } from 'node:crypto'
import type { AuthedContext, Tx } from '../../../context.ts'
import { lockCurrentUser } from '../../../identity/current-session.ts'
import { notifyTwoFactorChange } from '../../../identity/notify-two-factor.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { twoFactorBinding } from '../../../identity/try-code.ts'
import * as codes from '../../../identity/two-factor-codes.ts'
import { findTwoFactor, lockTwoFactor } from '../../../identity/two-factor-store.ts'
import { hashToken, newToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }
type Change = { '2fa_enabled': boolean } & Proof

export async function readTwoFactor(ctx: AuthedContext) {
  const found = await ctx.asSystem('read the second factor', tx => findTwoFactor(tx, ctx.actor.user_id))
  const enabled_at = found?.enabled_at ?? null
  return {
    '2fa_enabled': enabled_at !== null,
    enabled_at: enabled_at?.toISOString() ?? null,
    has_backup_code: Boolean(found?.backup_hash),
  }
}

/** Starts the set-up, beside an existing secret, or turns the second factor off. Both need a step-up. */
export async function changeTwoFactor(ctx: AuthedContext, { '2fa_enabled': on, ...proof }: Change) {
  await demandProof(ctx, proof)
  return on ? startSetUp(ctx) : turnOffTwoFactor(ctx)
}

async function startSetUp(ctx: AuthedContext) {
  const { actor } = ctx
  const secret = codes.secretOf(randomBytes(20))
  const enabled = await ctx.asSystem('set up the second factor', async tx => {
    const sealed = ctx.encrypter.encrypt(secret, twoFactorBinding(actor.user_id))
    await store.insertPendingSecret(tx, actor.user_id, sealed, ctx.now())
    return Boolean((await findTwoFactor(tx, actor.user_id))?.enabled_at)
  })
  return { '2fa_enabled': enabled, qr_code: await renderQrCode(codes.secretUri(secret, actor.email)), secret }
}

/** Imported on first use. */
async function renderQrCode(uri: string): Promise<string> {
  const { default: encodeQR } = await import('qr')
  const svg = encodeQR(uri, 'svg', { ecc: 'low', border: 2 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

async function turnOffTwoFactor(ctx: AuthedContext) {
  const { actor } = ctx
  await ctx.asSystem('switch off the second factor', async tx => {
    await lockCurrentUser(ctx, tx)
    const held = await findTwoFactor(tx, actor.user_id)
    if (held?.enabled_at) {
      await removeSessions(tx, { user_id: actor.user_id }, actor.session_id)
      await notifyTwoFactorChange(ctx, tx, actor.user_id, 'disabled')
    }
    await store.removeTwoFactor(tx, actor.user_id)
  })
  return { '2fa_enabled': false }
}

/**
 * Puts the new secret in force with a new backup code. Ends the sessions without the second factor, and replaces the
 * token of this one, of which a copy may exist.
 */
export async function verifyTwoFactor(ctx: AuthedContext, { code }: { code: string }) {
  const { user_id, session_id } = ctx.actor
  const now = ctx.now()
  const backup_code = codes.backupCodeOf(randomBytes(15))
  const token = newToken()
  const refused = await ctx.asSystem('prove the second factor', async tx => {
    // Sign-ins in progress have finished, so their sessions end here; later ones require the code.
    await lockCurrentUser(ctx, tx)
    const held = await lockTwoFactor(tx, user_id)
    const since = held?.pending_since?.getTime() ?? 0
    if (!held?.sealed_pending || now.getTime() - since > codes.pendingMinutes * 60_000)
      throw new Refusal('two_factor_not_begun')
    const secret = ctx.encrypter.decrypt(held.sealed_pending, twoFactorBinding(user_id))
    const step = codes.stepOf(secret, codes.plainCode(code), now, 0)
    // Returned instead of thrown, because the counted failure must be committed.
    if (step === null) return countWrongCode(tx, user_id)
    await removeSessions(tx, { user_id: user_id }, session_id)
    await store.enableTwoFactor(tx, user_id, {
      sealed_secret: held.sealed_pending,
      last_step: step,
      backup_hash: hashToken(codes.plainCode(backup_code)),
      enabled_at: now,
    })
    if (!(await store.addSecondFactorToSession(tx, session_id, hashToken(token))))
      throw new Refusal('session_required')
    await notifyTwoFactorChange(ctx, tx, user_id, held.enabled_at ? 'replaced' : 'enabled')
    return null
  })
  if (refused) throw refused
  return { backup_code, token }
}

/** Replaces the backup code. Needs a step-up. */
export async function renewBackupCode(ctx: AuthedContext, proof: Proof) {
  await demandProof(ctx, proof)
  const { user_id } = ctx.actor
  const backup_code = codes.backupCodeOf(randomBytes(15))
  await ctx.asSystem('renew the backup code', async tx => {
    const hash = hashToken(codes.plainCode(backup_code))
    if (!(await store.updateBackupCode(tx, user_id, hash))) throw new Refusal('two_factor_off')
    await notifyTwoFactorChange(ctx, tx, user_id, 'backup_renewed')
  })
  return { backup_code }
}

/** Too many wrong codes delete the pending secret; a new one needs a step-up. */
async function countWrongCode(tx: Tx, userId: string): Promise<Refusal> {
  const failures = await store.countSetUpFailure(tx, userId)
  if (failures < codes.triesPerSetUp) return new Refusal('code_wrong', { field: 'code' })
  await store.removePendingSecret(tx, userId)
  return new Refusal('two_factor_not_begun')
}
