import { linkMinutes } from '@plinth/contract/patterns'
import type { Context, Services, Tx } from '../../../context.ts'
import { lockEmail, markVerified, removeUnverifiedUsers } from '../../../identity/email-claim-store.ts'
import { tryConsumeBrowserMailLimit, tryConsumeMailLimit } from '../../../identity/mail-limits.ts'
import {
  consumeMailedToken,
  insertMailedToken,
  removeMailedTokens,
} from '../../../identity/mailed-token-store.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { lockUser, removePassword } from '../../../identity/user-store.ts'
import { hashToken, newToken } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

/** Mailed links that need no session. Each has one purpose, works once and expires after minutes. */
export type LinkPurpose = keyof typeof linkMinutes

const screens = { magic: '/magic', reset: '/resetpassword' } as const satisfies Record<LinkPurpose, string>

/**
 * `only_browser`: hash of the browser that asked. Set when the address has reached its mail limit: then the job mails only
 * if the user has signed in with this browser.
 */
type LinkRequest = { purpose: LinkPurpose; email: string; asked_at: string; only_browser?: string }

/**
 * Enqueues the job that mails a link. The job looks the address up, after the reply, so status, body, headers and time
 * are the same for every address, also when the mail limit is used up.
 *
 * One network can use only part of an address's mail limit, so that it can't block the owner's mails. A browser that the
 * owner has signed in with has a limit of its own.
 */
export async function requestLink(ctx: Context, purpose: LinkPurpose, email: string) {
  const withinLimit = await tryConsumeMailLimit(ctx, 'link', email)
  const browserWithinLimit = await tryConsumeBrowserMailLimit(ctx, email)
  if (!withinLimit && !browserWithinLimit) return {}
  const id = newId(ctx.now().getTime())
  const request: LinkRequest = { purpose, email, asked_at: ctx.now().toISOString() }
  if (!withinLimit && browserWithinLimit) request.only_browser = browserWithinLimit.toString('base64url')
  await ctx.asSystem('mail a link', tx =>
    // Encrypted, as mails are: the job table does not show who requested what.
    ctx.enqueue(tx, 'auth.mail_link', {
      id,
      sealed: ctx.encrypter.encrypt(JSON.stringify(request), mailedLinkBinding(id)),
    }),
  )
  return {}
}

/** The job: creates link and mail in one transaction if the address has a user. A new link replaces older ones. */
export async function mailLink(services: Services, { id, sealed }: { id: string; sealed: string }) {
  const request: LinkRequest = JSON.parse(services.encrypter.decrypt(sealed, mailedLinkBinding(id)))
  const { purpose, email, only_browser } = request
  const minutes = linkMinutes[purpose]
  const now = services.now()
  const lifetime = minutes * 60_000
  // The user has stopped waiting, or has requested another link.
  if (now.getTime() - new Date(request.asked_at).getTime() > lifetime) return
  await services.asSystem('mail a link', async tx => {
    const found = await store.findUserForLink(tx, email)
    const user = found && (await lockUser(tx, found.id))
    if (!user || user.email !== email || (await store.hasToken(tx, id))) return
    if (only_browser && !(await store.hasDevice(tx, user, Buffer.from(only_browser, 'base64url')))) return
    const token = newToken()
    const expiresAt = new Date(now.getTime() + lifetime)
    await removeMailedTokens(tx, user.id, purpose)
    await insertMailedToken(tx, {
      id,
      token_hash: hashToken(token),
      purpose,
      user_id: user.id,
      email: user.email,
      created_at: now,
      expires_at: expiresAt,
    })
    const url = `${services.config.publicUrl}${screens[purpose]}?token=${token}`
    const { email: to, locale, first_name: name } = user
    await services.enqueueMail(
      tx,
      { kind: `${purpose}_link`, to, locale, data: { name, url, minutes } },
      { expiresAt },
    )
  })
}

/** Shows the address of an unused link. Only the owner of the mailbox has the token. */
export async function previewLink(ctx: Context, { token, purpose }: { token: string; purpose: LinkPurpose }) {
  const actor = await ctx.identify()
  const link = await ctx.asSystem('read a mailed link', tx => findLink(ctx, tx, purpose, token))
  return { email: link.email, other_user: actor !== null && actor.user_id !== link.user_id }
}

export async function findLink(services: Services, tx: Tx, purpose: LinkPurpose, token: string) {
  const link = await store.findLink(tx, { token_hash: hashToken(token), purpose, now: services.now() })
  if (!link) throw new Refusal('link_expired')
  return link
}

/**
 * Uses a link in the caller's transaction. The link proves the address: an unverified user is verified, and everything
 * another person may have set up in that user is removed.
 *
 * Locks: the address, the user's row, then the link, which one of any number of parallel calls gets.
 * @returns the user; `lost_password` when the password was removed, because another person may have chosen it
 */
export async function redeemLink(services: Services, tx: Tx, purpose: LinkPurpose, token: string) {
  const now = services.now()
  const { email, user_id } = await findLink(services, tx, purpose, token)
  const verified = await lockEmail(tx, email)
  const user = await lockUser(tx, user_id)
  const used = await consumeMailedToken(tx, { token_hash: hashToken(token), purpose, user_id, now })
  if (!user || !used || user.email !== email) throw new Refusal('link_expired')
  if (user.verified_at) return { ...user, lost_password: false }
  // Another user has proven the address since the mail was sent.
  if (verified) throw new Refusal('link_expired')
  await markVerified(tx, user, now)
  await removeUnverifiedUsers(tx, user.email, user.id)
  return { ...user, lost_password: await resetAccess(tx, user.id) }
}

/** Another person may have signed up with the address: removes everything that gives access to the user. */
async function resetAccess(tx: Tx, userId: string): Promise<boolean> {
  await removeSessions(tx, { user_id: userId })
  await removeMailedTokens(tx, userId)
  await store.removeOtherMethods(tx, userId)
  await store.resetConsentAndDefaultAccount(tx, userId)
  return removePassword(tx, userId)
}

/** Binds the encrypted request to its job. */
export const mailedLinkBinding = (id: string) => `link ${id}`
