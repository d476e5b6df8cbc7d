import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { proveWithPasskey, startPasskeyProof } from './prove.ts'
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startAddPasskey } from './service.ts'
import { signInWithPasskey, startPasskeySignIn } from './sign-in.ts'

export function passkeyRoutes(server: Server) {
  mount(server, contract.passkeys, {
    list: ctx => listPasskeys(ctx),
    begin: (ctx, { body }) => startAddPasskey(ctx, body),
    add: (ctx, { body }) => addPasskey(ctx, body),
    rename: (ctx, { params, body }) => renamePasskey(ctx, params.id, body),
    remove: (ctx, { params, body }) => removePasskey(ctx, params.id, body),
    beginProof: ctx => startPasskeyProof(ctx),
    prove: (ctx, { body }) => proveWithPasskey(ctx, body),
    beginSignIn: ctx => startPasskeySignIn(ctx),
    signIn: (ctx, { body }) => signInWithPasskey(ctx, body),
  })
}
