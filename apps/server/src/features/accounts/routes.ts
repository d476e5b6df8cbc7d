import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { closeAccount, closeUser } from './closing.ts'
import { acceptInvite } from './invited.ts'
import { signUp } from './service.ts'

export function accountRoutes(server: Server) {
  mount(server, contract.accounts, {
    signUp: (ctx, { body }) => signUp(ctx, body),
    acceptInvite: (ctx, { body }) => acceptInvite(ctx, body),
    closeUser: (ctx, { body }) => closeUser(ctx, body),
    close: (ctx, { body }) => closeAccount(ctx, body),
  })
}
