import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { changeTwoFactor, readTwoFactor, renewBackupCode, verifyTwoFactor } from './service.ts'
import { signInWithCode } from './sign-in.ts'

export function twoFactorRoutes(server: Server) {
  mount(server, contract.twoFactor, {
    read: ctx => readTwoFactor(ctx),
    change: (ctx, { body }) => changeTwoFactor(ctx, body),
    verify: (ctx, { body }) => verifyTwoFactor(ctx, body),
    renewBackupCode: (ctx, { body }) => renewBackupCode(ctx, body),
    signIn: (ctx, { body }) => signInWithCode(ctx, body),
  })
}
