import type { Context } from '../../../context.ts'
import { insertAccount, insertMembership, insertUser } from '../../../identity/account-store.ts'
import { newAccount, newUser } from '../../../identity/create-account.ts'
import { createSession } from '../../../identity/create-session.ts'
import { tryConsumeMailLimit } from '../../../identity/mail-limits.ts'
import { checkNewPassword } from '../../../identity/new-password.ts'
import { sendVerification } from '../../../identity/send-verification.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { hashPassword } from '../../../lib/passwords.ts'

export type SignUp = { first_name: string; last_name: string; email: string; password: string }

/**
 * Creates an unverified user and an account. The reply is the same for a known address; the verification decides
 * later which user keeps it.
 */
export async function signUp(ctx: Context, { first_name, last_name, email, password }: SignUp) {
  await checkNewPassword(password, { first_name, last_name, email })
  // Over the limit the sign-up succeeds without a mail, so that the reply is the same. The user can request another
  // link.
  const mails = await tryConsumeMailLimit(ctx, 'mail', email)
  const password_hash = await hashPassword(password)
  crashPoint('sign_up:before_begin')
  const session = await ctx.asSystem('sign-up', async tx => {
    const created_at = ctx.now()
    const user = newUser(ctx, { first_name, last_name, email }, password_hash, created_at)
    const account = newAccount(ctx, first_name, created_at)
    await insertUser(tx, user)
    crashPoint('sign_up:after_user')
    await insertAccount(tx, account)
    crashPoint('sign_up:after_account')
    await insertMembership(tx, { account_id: account.id, user_id: user.id, role: 'owner', created_at })
    crashPoint('sign_up:after_membership')
    const opened = await createSession(ctx, tx, user, 'sign_up')
    crashPoint('sign_up:after_session')
    if (mails) await sendVerification(ctx, tx, { ...user, account_name: account.name })
    await ctx.saveIdempotentReply(tx, opened)
    crashPoint('sign_up:before_commit')
    return opened
  })
  crashPoint('sign_up:after_commit')
  return session
}
