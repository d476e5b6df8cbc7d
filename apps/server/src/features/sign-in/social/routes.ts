import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { navigation } from '../../../endpoint/navigation.ts'
import { disconnectIdentity, listIdentities } from './identities.ts'
import { handleCallback, startConnect, startSocialSignIn } from './oauth-flow.ts'

export function socialRoutes(server: Server) {
  mount(server, contract.social, {
    identities: ctx => listIdentities(ctx),
    connect: (ctx, { body }) => startConnect(ctx, body),
    disconnect: (ctx, { params, body }) => disconnectIdentity(ctx, params.id, body),
  })
  navigation(
    server,
    { path: '/auth/social/:provider', limit: 'social:network' },
    (ctx, { params, fromElsewhere }) => startSocialSignIn(ctx, params.provider, { fromElsewhere }),
  )
  navigation(
    server,
    { path: '/auth/social/:provider/callback', limit: 'social:network' },
    (ctx, { params, query }) => handleCallback(ctx, params.provider, query),
  )
}
