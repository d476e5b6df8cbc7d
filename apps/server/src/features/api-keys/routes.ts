import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import * as keys from './service.ts'

export function apiKeyRoutes(server: Server) {
  mount(server, contract.apiKeys, {
    list: (ctx, { query }) => keys.listApiKeys(ctx, query),
    create: (ctx, { body }) => keys.createApiKey(ctx, body),
    scopes: async ctx => keys.listScopes(ctx),
    allowance: ctx => keys.readApiKeyAllowance(ctx),
    read: (ctx, { params }) => keys.readApiKey(ctx, params.id),
    reveal: (ctx, { params, body }) => keys.revealApiKey(ctx, params.id, body),
    update: (ctx, { params, body }) => keys.updateApiKey(ctx, params.id, body),
    remove: (ctx, { body }) => keys.removeApiKeys(ctx, body),
  })
}
