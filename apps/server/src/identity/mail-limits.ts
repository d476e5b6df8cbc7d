import type { Context } from '../context.ts'
import { mailboxOf } from '../lib/mailbox.ts'

/** Each mail consumes two limits: of the address and network, and of the address. */
type Kind = 'mail' | 'resend' | 'link'

const ofNetwork = (ctx: Context, email: string) => `${mailboxOf(email)} ${ctx.request.network}`

/** Refuses when the mailbox has reached a limit. */
export async function consumeMailLimit(ctx: Context, kind: Kind, email: string) {
  await ctx.consume(`${kind}:address_network`, ofNetwork(ctx, email))
  await ctx.consume(`${kind}:address`, email)
}

/** The same for calls whose reply must not show it. */
export const tryConsumeMailLimit = async (ctx: Context, kind: Kind, email: string): Promise<boolean> =>
  (await ctx.tryConsume(`${kind}:address_network`, ofNetwork(ctx, email))) &&
  (await ctx.tryConsume(`${kind}:address`, email))

/** The limit of a known browser at a mailbox. @returns the browser, or null at the limit */
export async function tryConsumeBrowserMailLimit(ctx: Context, email: string): Promise<Buffer | null> {
  const browser = ctx.browser.known()
  if (!browser) return null
  const subject = `${mailboxOf(email)} ${browser.toString('base64url')}`
  return (await ctx.tryConsume('link:address_browser', subject)) ? browser : null
}
