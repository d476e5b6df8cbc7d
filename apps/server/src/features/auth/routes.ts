import { contract } from '@plinth/contract'
import { mount, type Server } from '../../http/mount.ts'
import * as service from './service.ts'
import * as verification from './verification.ts'

export function authRoutes(server: Server) {
  mount(server, contract.auth, {
    check: ctx => service.check(ctx),
    signIn: (ctx, { body }) => service.signIn(ctx, body),
    signOut: ctx => service.signOut(ctx),
    switchAccount: (ctx, { body }) => service.switchAccount(ctx, body),
    verifyEmail: (ctx, { body }) => verification.verifyEmail(ctx, body),
    requestVerification: ctx => verification.requestVerification(ctx),
  })
}
