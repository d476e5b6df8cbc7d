import { limits } from '@plinth/contract/patterns'
import type { Context } from '../../context.ts'
import { crashPoint } from '../../lib/crash-points.ts'
import { translate } from '../../lib/i18n.ts'
import { newId } from '../../lib/ids.ts'
import { hashPassword } from '../../lib/passwords.ts'
import { mayMail } from '../auth/mail-budget.ts'
import { checkNewPassword } from '../auth/new-password.ts'
import { createSession } from '../auth/sessions.ts'
import { sendVerification } from '../auth/verification.ts'
import * as store from './store.ts'

export type SignUp = { first_name: string; last_name: string; email: string; password: string }

/**
 * Makes a fresh unverified user with an account of their own, whether or not the address is known: the answer never
 * tells (product.md, section 4). Proof of the address decides later what becomes of it.
 */
export async function signUp(ctx: Context, { first_name, last_name, email, password }: SignUp) {
  await checkNewPassword(password, { first_name, last_name, email })
  // Capped, it goes on as always and mails nothing: the answer is the same (T-72). Another link can be asked for later.
  const mails = await mayMail(ctx, 'mail', email)
  const password_hash = await hashPassword(password)
  crashPoint('sign_up:before_begin')
  const session = await ctx.asSystem('sign-up', async tx => {
    const created_at = ctx.now()
    const user = newUser(ctx, { first_name, last_name, email }, password_hash, created_at)
    const account = { id: newId(created_at.getTime()), name: defaultName(ctx.locale, first_name), created_at }
    await store.insertUser(tx, user)
    crashPoint('sign_up:after_user')
    await store.insertAccount(tx, account)
    crashPoint('sign_up:after_account')
    await store.insertMembership(tx, { account_id: account.id, user_id: user.id, role: 'owner', created_at })
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

/** The row of somebody new, whichever door they take; the password is null where the door needs none. */
export const newUser = (
  ctx: Context,
  person: Omit<SignUp, 'password'>,
  password_hash: string | null,
  created_at: Date,
) => ({ ...person, id: newId(created_at.getTime()), password_hash, locale: ctx.locale, created_at })

export const defaultName = (locale: Context['locale'], name: string) =>
  translate(locale, 'accounts.default_name', { name }).slice(0, limits.account_name)
