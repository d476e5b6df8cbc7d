import { onlyAnOwnerCanHelp } from '@plinth/contract/access'
import { grants } from '@plinth/contract/roles'
import type { AuthedContext, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { lockCurrentUser } from '../../../identity/current-session.ts'
import { consumeMailLimit } from '../../../identity/mail-limits.ts'
import { removeMailedTokens } from '../../../identity/mailed-token-store.ts'
import { sendVerification } from '../../../identity/send-verification.ts'
import { demandProof, isVouchedFor } from '../../../identity/step-up.ts'
import { lastLogin } from '../../../lib/last-login.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { requestEmailChange } from '../email-change/email-change.ts'
import { cancelPendingChange } from '../email-change/store.ts'
import { claimPicture, storePicture } from './picture.ts'
import * as store from './store.ts'
import { changeSupportConsent } from './support-consent.ts'

export type ProfileChange = {
  first_name?: string
  last_name?: string
  email?: string
  account_name?: string
  default_account?: string | null
  dark_mode?: boolean
  onboarded?: boolean
  locale?: string
  support_enabled?: boolean
  avatar?: File | null
}

export const readProfile = (ctx: AuthedContext) => ctx.within(tx => profileOf(ctx, tx))

type ProfileUpdate = ProfileChange & { id?: string; permission?: string; password?: string; code?: string }

/** Changes the caller's own fields, all or none. */
export async function updateProfile(
  ctx: AuthedContext,
  { id, permission, password, code, ...change }: ProfileUpdate,
) {
  const { actor } = ctx
  if (permission !== undefined)
    throw id === undefined
      ? new Refusal('unknown_field', { field: 'permission', values: { field: 'permission' } })
      : new Refusal('member_fixed', { field: 'permission', text: 'team.own_role' })
  const { account_name, onboarded, email, default_account, avatar, ...fields } = change
  if (account_name !== undefined && !grants(actor.permission, 'owner')) {
    throw new Refusal('permission_required', { field: 'account_name' })
  }
  const moves = email !== undefined && email !== actor.email
  // A password reset goes to the address, so changing it needs a step-up.
  if (moves && actor.verified) await demandProof(ctx, { password, code })
  // These two fields affect the user's other accounts, so an SSO session needs a step-up.
  else if (isVouchedFor(actor) && (fields.support_enabled !== undefined || default_account !== undefined))
    await demandProof(ctx, { password, code })
  // An unverified user may not own the address and can't consent.
  if (fields.support_enabled && !actor.verified) throw new Refusal('verification_required')
  if (moves) await ctx.consume('mail:user', actor.user_id)
  if (moves) await consumeMailLimit(ctx, 'mail', email)
  const row: store.UserChange = { ...fields }
  if (onboarded !== undefined) row.onboarded_at = onboarded ? ctx.now() : null
  if (default_account !== undefined) row.default_account_id = default_account
  if (fields.dark_mode !== undefined) row.dark_mode_chosen = true
  if (avatar !== undefined) row.avatar = avatar && (await storePicture(ctx, avatar))
  return ctx.asSystem('read the profile', async tx => {
    const held = await lockCurrentUser(ctx, tx)
    // The session may be older than a verification or a change of the address.
    const stale = actor.email !== held.email || actor.verified !== (held.verified_at !== null)
    if (moves && stale) throw new Refusal('email_not_changeable', { field: 'email' })
    if (default_account && !(await store.isMember(tx, held.id, default_account)))
      throw new Refusal('account_unknown', { field: 'default_account' })
    if (moves && !held.verified_at) row.email = email
    if (Object.keys(row).length) await store.updateUser(tx, held.id, row)
    if (row.avatar) await claimPicture(tx, row.avatar)
    // Removes the previous picture.
    if (row.avatar !== undefined) await ctx.enqueue(tx, 'files.clear', {}, { key: 'all' })
    if (change.support_enabled !== undefined)
      await changeSupportConsent(ctx, tx, held, change.support_enabled)
    if (account_name !== undefined) await renameAccount(ctx, tx, account_name)
    if (moves && held.verified_at) await requestEmailChange(ctx, tx, held, email)
    if (email === held.email) await cancelPendingChange(tx, held.id)
    const profile = await profileOf(ctx, tx)
    if (!moves) return profile
    // Voids the links mailed to the old address, also if it is set again later.
    if (!held.verified_at) await removeMailedTokens(tx, held.id)
    if (!held.verified_at) await sendVerification(ctx, tx, { ...profile, account_name: actor.account_name })
    // The web app then asks to prove the new address; the session stays verified.
    return { ...profile, verified: false }
  })
}

async function renameAccount(ctx: AuthedContext, tx: Tx, name: string) {
  const { account_id, user_id } = ctx.actor
  const account = await lockAccount(tx, account_id)
  if (!account || account.name === name) return
  await store.updateAccountName(tx, account_id, name)
  await recordAudit(ctx, tx, {
    account_id,
    user_id,
    action: 'account.renamed',
    target: account_id,
    metadata: { before: account.name, name },
    network: ctx.request.network,
  })
}

async function profileOf({ actor }: AuthedContext, tx: Tx) {
  const found = await store.findProfile(tx, actor.user_id, actor.account_id)
  // The user was deleted or removed from the account since the session was read.
  if (!found) throw new Refusal('session_required')
  const {
    verified_at,
    password_hash,
    onboarded_at,
    default_account_id,
    date_created,
    account_name,
    two_factor,
    last_login_at,
    ...row
  } = found
  return {
    ...row,
    name: `${row.first_name} ${row.last_name}`.trim(),
    verified: verified_at !== null,
    has_password: password_hash !== null,
    '2fa_enabled': two_factor,
    onboarded: onboarded_at !== null,
    // Null when the user has left that account.
    default_account: actor.accounts.some(({ id }) => id === default_account_id) ? default_account_id : null,
    date_created: date_created.toISOString(),
    status: statusOf(verified_at),
    last_login: lastLogin(last_login_at),
    plan: actor.plan,
    subscription: actor.subscription,
    accounts: actor.accounts.map(account => ({
      ...account,
      name: account.id === row.account_id ? account_name : account.name,
      since: new Date(account.since).toISOString(),
    })),
    permission: actor.permission,
    ...(grants(actor.permission, 'owner') ? { account_name } : {}),
    ...(onlyAnOwnerCanHelp(actor) ? { owners: await store.findOwnerNames(tx, actor.account_id) } : {}),
  }
}

const statusOf = (verifiedAt: Date | null): 'verified' | 'registered' =>
  verifiedAt ? 'verified' : 'registered'
