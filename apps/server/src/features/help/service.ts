import type { AuthedContext } from '../../context.ts'
import { translate } from '../../lib/i18n.ts'

/**
 * A message to support. Whom it goes to, how it looks and who wrote it are ours to say: of the call there is the message
 * and nothing else (T-71).
 */
export async function askForHelp(ctx: AuthedContext, { message }: { message: string }) {
  const { actor, config } = ctx
  await ctx.consume('help:user', actor.user_id)
  await ctx.consume('help:all', 'all')
  // Before the answer is kept: a call that is repeated says the same.
  ctx.setMessage('help.sent')
  await ctx.within(async tx => {
    await ctx.enqueueMail(tx, {
      kind: 'help_request',
      to: config.supportEmail,
      locale: 'en',
      reply_to: actor.email,
      data: {
        name: `${actor.first_name} ${actor.last_name}`.trim(),
        email: actor.email,
        account_name: actor.account_name,
        account_id: actor.account_id,
        plan: actor.plan ? translate('en', `plans.${actor.plan}`) : '–',
        role: actor.permission,
        message,
        url: config.publicUrl,
      },
    })
    await ctx.saveIdempotentReply(tx, {})
  })
  return {}
}
