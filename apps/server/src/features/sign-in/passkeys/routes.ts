import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { beginProof, prove } from './prove.ts'
import { add, beginAdding, listPasskeys, remove, rename } from './service.ts'
import { beginSignIn, signIn } from './sign-in.ts'

export function passkeyRoutes(server: Server) {
  mount(server, contract.passkeys, {
    list: ctx => listPasskeys(ctx),
    begin: (ctx, { body }) => beginAdding(ctx, body),
    add: (ctx, { body }) => add(ctx, body),
    rename: (ctx, { params, body }) => rename(ctx, params.id, body),
    remove: (ctx, { params, body }) => remove(ctx, params.id, body),
    beginProof: ctx => beginProof(ctx),
    prove: (ctx, { body }) => prove(ctx, body),
    beginSignIn: ctx => beginSignIn(ctx),
    signIn: (ctx, { body }) => signIn(ctx, body),
  })
}
