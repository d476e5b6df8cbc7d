import { contract } from '@plinth/contract'
import { mount, type Server } from '../../http/mount.ts'
import { invite, listPermissions } from './service.ts'

export function teamRoutes(server: Server) {
  mount(server, contract.team, {
    permissions: ctx => listPermissions(ctx),
    invite: (ctx, { body }) => invite(ctx, body),
  })
}
