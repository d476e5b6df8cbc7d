import type { AuthedContext } from '../../context.ts'
import { translate } from '../../lib/i18n.ts'

/**
 * Mails a message to support. Only the message comes from the call: recipient, sender and layout are ours, so that the
 * call can't be used to mail other people.
 */
export async function sendHelpRequest(ctx: AuthedContext, { message }: { message: string }) {
  const { actor, config } = ctx
  await ctx.consume('help:user', actor.user_id)
  await ctx.consume('help:all', 'all')
  // Set before the reply is stored, so that a repeated call gets the same message.
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
