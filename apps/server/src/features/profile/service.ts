import { grants } from '@plinth/contract/roles'
import type { SignedIn, Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { heldUser, sendVerification } from '../auth/verification.ts'
import * as store from './store.ts'

export type ProfileChange = {
  first_name?: string
  last_name?: string
  email?: string
  account_name?: string
  dark_mode?: boolean
  onboarded?: boolean
  locale?: string
}

export const readProfile = (ctx: SignedIn) => ctx.within(tx => profileOf(ctx, tx))

/** Changes the actor's own fields, all or none. */
export async function updateProfile(ctx: SignedIn, change: ProfileChange) {
  const { actor } = ctx
  const { account_name, onboarded, email, ...fields } = change
  if (account_name !== undefined && !grants(actor.permission, 'owner')) {
    throw new Refusal('permission_required', { field: 'account_name' })
  }
  const moves = email !== undefined && email !== actor.email
  // A proven address changes only by proof of the new one, which comes with the full profile.
  if (moves && actor.verified) throw new Refusal('email_not_changeable', { field: 'email' })
  if (moves) await ctx.spend('mail:address', email)
  const row: store.UserChange = { ...fields }
  if (onboarded !== undefined) row.onboarded_at = onboarded ? ctx.now() : null
  if (moves) row.email = email
  return ctx.asSystem('own profile', async tx => {
    const held = await heldUser(ctx, tx)
    // The session may have been read before the address was proven.
    if (moves && held.verified_at) throw new Refusal('email_not_changeable', { field: 'email' })
    if (Object.keys(row).length) await store.updateUser(tx, held.id, row)
    if (account_name !== undefined) await store.updateAccountName(tx, actor.account_id, account_name)
    const profile = await profileOf(ctx, tx)
    if (moves) await sendVerification(ctx, tx, { ...profile, account_name: actor.account_name })
    return profile
  })
}

async function profileOf({ actor }: SignedIn, tx: Tx) {
  const found = await store.findProfile(tx, actor.user_id, actor.account_id)
  // Removed from the account, or altogether, since the session was read.
  if (!found) throw new Refusal('session_required')
  const { verified_at, password_hash, onboarded_at, default_account_id, date_created, account_name, ...row } =
    found
  return {
    ...row,
    name: `${row.first_name} ${row.last_name}`.trim(),
    verified: verified_at !== null,
    has_password: password_hash !== null,
    onboarded: onboarded_at !== null,
    default_account: default_account_id,
    date_created: date_created.toISOString(),
    permission: actor.permission,
    ...(grants(actor.permission, 'owner') ? { account_name } : {}),
  }
}
