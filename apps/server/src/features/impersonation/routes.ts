import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import * as service from './service.ts'

export function impersonationRoutes(server: Server) {
  mount(server, contract.impersonation, {
    makeLink: (ctx, { body }) => service.requestSupportLink(ctx, body),
    begin: (ctx, { body }) => service.startImpersonation(ctx, body),
  })
}
