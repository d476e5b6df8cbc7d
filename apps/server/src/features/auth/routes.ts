import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { confirmEmailChange, resendConfirmation } from '../profile/email-change.ts'
import { redeem } from '../social/redeem.ts'
import { lookAtLink, requestLink } from './links.ts'
import { verifyMagicLink } from './magic-link.ts'
import { resetPassword } from './reset.ts'
import * as service from './service.ts'
import * as verification from './verification.ts'

export function authRoutes(server: Server) {
  mount(server, contract.auth, {
    check: ctx => service.check(ctx),
    async signIn(ctx, { body }) {
      if (!('token' in body)) return service.signIn(ctx, body)
      await ctx.consume('handover:network', ctx.request.network)
      return redeem(ctx, body)
    },
    signOut: ctx => service.signOut(ctx),
    switchAccount: (ctx, { body }) => service.switchAccount(ctx, body),
    // One screen and one link for every proof: of the first address, and of one that is to take its place.
    verifyEmail: (ctx, { body }) =>
      ctx.actor.verified ? confirmEmailChange(ctx, body) : verification.verifyEmail(ctx, body),
    requestVerification: ctx =>
      ctx.actor.verified ? resendConfirmation(ctx) : verification.requestVerification(ctx),
    requestMagicLink: (ctx, { body }) => requestLink(ctx, 'magic', body.email),
    verifyMagicLink: (ctx, { body }) => verifyMagicLink(ctx, body),
    requestReset: (ctx, { body }) => requestLink(ctx, 'reset', body.email),
    resetPassword: (ctx, { body }) => resetPassword(ctx, body),
    lookAtLink: (ctx, { body }) => lookAtLink(ctx, body),
  })
}
