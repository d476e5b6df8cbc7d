import type { Context } from '../context.ts'
import { mailboxOf } from '../lib/mailbox.ts'

/** What a mail to a mailbox draws on: the part of the network that asks, and what is for all of them. */
type Kind = 'mail' | 'resend' | 'link'

const ofNetwork = (ctx: Context, email: string) => `${mailboxOf(email)} ${ctx.request.network}`

/** Refuses when the mailbox has had enough. */
export async function consumeMailLimit(ctx: Context, kind: Kind, email: string) {
  await ctx.consume(`${kind}:address_network`, ofNetwork(ctx, email))
  await ctx.consume(`${kind}:address`, email)
}

/** The same where the answer must not show it. */
export const tryConsumeMailLimit = async (ctx: Context, kind: Kind, email: string): Promise<boolean> =>
  (await ctx.tryConsume(`${kind}:address_network`, ofNetwork(ctx, email))) &&
  (await ctx.tryConsume(`${kind}:address`, email))

/** Whether the browser that asks has mails left at this mailbox. Only the mailbox's owner may draw on them. */
export async function tryConsumeBrowserMailLimit(ctx: Context, email: string): Promise<Buffer | null> {
  const browser = ctx.browser.known()
  if (!browser) return null
  const subject = `${mailboxOf(email)} ${browser.toString('base64url')}`
  return (await ctx.tryConsume('link:address_browser', subject)) ? browser : null
}
