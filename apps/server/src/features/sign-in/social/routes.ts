import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { navigation } from '../../../endpoint/navigation.ts'
import { disconnect, listIdentities } from './identities.ts'
import { beginConnect, beginSignIn, comeBack } from './oauth-flow.ts'

export function socialRoutes(server: Server) {
  mount(server, contract.social, {
    identities: ctx => listIdentities(ctx),
    connect: (ctx, { body }) => beginConnect(ctx, body),
    disconnect: (ctx, { params, body }) => disconnect(ctx, params.id, body),
  })
  navigation(
    server,
    { path: '/auth/social/:provider', limit: 'social:network' },
    (ctx, { params, fromElsewhere }) => beginSignIn(ctx, params.provider, { fromElsewhere }),
  )
  navigation(
    server,
    { path: '/auth/social/:provider/callback', limit: 'social:network' },
    (ctx, { params, query }) => comeBack(ctx, params.provider, query),
  )
}
