import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import * as keys from './service.ts'

export function apiKeyRoutes(server: Server) {
  mount(server, contract.apiKeys, {
    list: (ctx, { query }) => keys.list(ctx, query),
    create: (ctx, { body }) => keys.create(ctx, body),
    scopes: async ctx => keys.listScopes(ctx),
    allowance: ctx => keys.allowance(ctx),
    read: (ctx, { params }) => keys.read(ctx, params.id),
    reveal: (ctx, { params, body }) => keys.reveal(ctx, params.id, body),
    update: (ctx, { params, body }) => keys.update(ctx, params.id, body),
    remove: (ctx, { body }) => keys.remove(ctx, body),
  })
}
