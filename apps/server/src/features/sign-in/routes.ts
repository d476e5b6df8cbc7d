import type { contract } from '@plinth/contract'
import type { Handlers } from '../../endpoint/mount.ts'
import { verifyMagicLink } from './magic-link/magic-link.ts'
import { previewLink, requestLink } from './mailed-link/mailed-link.ts'
import { signInWithPassword } from './password/sign-in.ts'
import { resetPassword } from './reset/reset-password.ts'
import { checkSession, signOut, switchAccount } from './session.ts'
import { exchangeToken } from './social/exchange-token.ts'

/** The part of contract.auth that signs users in and out; app.ts adds the e-mail verification. */
export const signInHandlers = {
  check: ctx => checkSession(ctx),
  async signIn(ctx, { body }) {
    if (!('token' in body)) return signInWithPassword(ctx, body)
    await ctx.consume('sign_in_token:network', ctx.request.network)
    return exchangeToken(ctx, body)
  },
  signOut: ctx => signOut(ctx),
  switchAccount: (ctx, { body }) => switchAccount(ctx, body),
  requestMagicLink: (ctx, { body }) => requestLink(ctx, 'magic', body.email),
  verifyMagicLink: (ctx, { body }) => verifyMagicLink(ctx, body),
  requestReset: (ctx, { body }) => requestLink(ctx, 'reset', body.email),
  resetPassword: (ctx, { body }) => resetPassword(ctx, body),
  lookAtLink: (ctx, { body }) => previewLink(ctx, body),
} satisfies Partial<Handlers<typeof contract.auth>>
