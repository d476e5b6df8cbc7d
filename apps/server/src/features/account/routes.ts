import type { contract } from '@plinth/contract'
import type { Handlers } from '../../endpoint/mount.ts'
import { closeAccount, closeUser } from './close/close.ts'
import { confirmEmailChange, resendConfirmation } from './email-change/email-change.ts'
import { signUp } from './sign-up/sign-up.ts'
import { requestVerification, verifyEmail } from './sign-up/verify-email.ts'

/** The part of contract.accounts that creates and closes accounts; app.ts adds the accepting of invites. */
export const accountHandlers = {
  signUp: (ctx, { body }) => signUp(ctx, body),
  closeUser: (ctx, { body }) => closeUser(ctx, body),
  close: (ctx, { body }) => closeAccount(ctx, body),
} satisfies Partial<Handlers<typeof contract.accounts>>

/** The part of contract.auth that verifies addresses: that of a new user, and the new one of a verified user. */
export const verificationHandlers = {
  verifyEmail: (ctx, { body }) =>
    ctx.actor.verified ? confirmEmailChange(ctx, body) : verifyEmail(ctx, body),
  requestVerification: ctx => (ctx.actor.verified ? resendConfirmation(ctx) : requestVerification(ctx)),
} satisfies Partial<Handlers<typeof contract.auth>>
