import { linkMinutes } from '@plinth/contract/patterns'
import type { Context, Services, Tx } from '../../context.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as links from './link-store.ts'
import { mayMail, mayMailBrowser } from './mail-budget.ts'
import { dropOtherClaims, holdAddress } from './proof.ts'
import * as store from './store.ts'

/** Links by mail that need no session: each is for one purpose, works once, and is gone after minutes. */
export type LinkPurpose = keyof typeof linkMinutes

const screens = { magic: '/magic', reset: '/resetpassword' } as const satisfies Record<LinkPurpose, string>

/** `only_browser`: the address has had its mails, and the browser that asks gets one if its user knows it. */
type Asked = { purpose: LinkPurpose; email: string; asked_at: string; only_browser?: string }

/**
 * Takes a request for a link. Whether the address has a user is looked up by the job that this sends, after the
 * answer: status, body, headers and time are the same for every address (T-10). So are they when nothing is sent
 * because enough was (T-72). One network can use up a part of an address's mails, never all of them; and a browser that
 * the owner has signed in with has a part of its own. Whether it is one is for the job to find out, too.
 */
export async function requestLink(ctx: Context, purpose: LinkPurpose, email: string) {
  const anyone = await mayMail(ctx, 'link', email)
  const browser = await mayMailBrowser(ctx, email)
  if (!anyone && !browser) return {}
  const id = newId(ctx.now().getTime())
  const asked: Asked = { purpose, email, asked_at: ctx.now().toISOString() }
  if (!anyone && browser) asked.only_browser = browser.toString('base64url')
  await ctx.asSystem('link by mail', tx =>
    // Sealed as mails are: the table of jobs is no table of who asked for what.
    ctx.enqueue(tx, 'auth.mail_link', {
      id,
      sealed: ctx.encrypter.encrypt(JSON.stringify(asked), mailedLinkBinding(id)),
    }),
  )
  return {}
}

/** The job: makes the link and the mail in one transaction, if the address has a user. A new link voids older ones. */
export async function mailLink(services: Services, { id, sealed }: { id: string; sealed: string }) {
  const asked: Asked = JSON.parse(services.encrypter.decrypt(sealed, mailedLinkBinding(id)))
  const { purpose, email, only_browser } = asked
  const minutes = linkMinutes[purpose]
  const now = services.now()
  const lifetime = minutes * 60_000
  // Nobody waits for it any more, and they may have asked again.
  if (now.getTime() - new Date(asked.asked_at).getTime() > lifetime) return
  await services.asSystem('link by mail', async tx => {
    const found = await links.findByAddress(tx, email)
    const user = found && (await store.lockUser(tx, found.id))
    if (!user || user.email !== email || (await links.isMade(tx, id))) return
    if (only_browser && !(await links.knowsBrowser(tx, user, Buffer.from(only_browser, 'base64url')))) return
    const token = newToken()
    const expiresAt = new Date(now.getTime() + lifetime)
    await store.removeMailedTokens(tx, user.id, purpose)
    await store.insertMailedToken(tx, {
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

/** Whom a link is for, before it is used. Only its holder can ask, who has the mailbox. */
export async function lookAtLink(ctx: Context, { token, purpose }: { token: string; purpose: LinkPurpose }) {
  const actor = await ctx.identify()
  const link = await ctx.asSystem('look at a link', tx => findLink(ctx, tx, purpose, token))
  return { email: link.email, other_user: actor !== null && actor.user_id !== link.user_id }
}

export async function findLink(services: Services, tx: Tx, purpose: LinkPurpose, token: string) {
  const link = await links.findLink(tx, { token_hash: hashToken(token), purpose, now: services.now() })
  if (!link) throw new Refusal('link_expired')
  return link
}

/**
 * Uses a link up in the caller's transaction. That proves the address: a user who had not proven it before is
 * verified now, and what a stranger could have left in that row is gone (T-38).
 *
 * Locks: the address, the user's row, then the link, of which one of any number of parallel tries gets hold (T-13).
 * @returns the user; `lost_password` when a password of unknown origin was dropped
 */
export async function redeemLink(services: Services, tx: Tx, purpose: LinkPurpose, token: string) {
  const now = services.now()
  const { email, user_id } = await findLink(services, tx, purpose, token)
  const proven = await holdAddress(tx, email)
  const user = await store.lockUser(tx, user_id)
  const used = await store.consumeMailedToken(tx, { token_hash: hashToken(token), purpose, user_id, now })
  if (!user || !used || user.email !== email) throw new Refusal('link_expired')
  if (user.verified_at) return { ...user, lost_password: false }
  // Somebody else has proven the address since the mail was sent.
  if (proven) throw new Refusal('link_expired')
  await store.markVerified(tx, user, now)
  await dropOtherClaims(tx, user)
  return { ...user, lost_password: await dropWhatOpensIt(tx, user.id) }
}

/** Whatever was mailed to a user opens nothing any more. */
export const voidLinks = (tx: Tx, userId: string) => links.removeAllLinks(tx, userId)

/** An unproven row may be a stranger's work: nothing that was put there opens it any longer, to support neither. */
async function dropWhatOpensIt(tx: Tx, userId: string): Promise<boolean> {
  await links.removeAllSessions(tx, userId)
  await voidLinks(tx, userId)
  await links.removeOtherGuards(tx, userId)
  await links.forgetChoices(tx, userId)
  return links.removePassword(tx, userId)
}

/** What a request for a link is sealed for. */
export const mailedLinkBinding = (id: string) => `link ${id}`
