import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import * as service from './service.ts'

export function sessionRoutes(server: Server) {
  mount(server, contract.sessions, {
    list: ctx => service.listSessions(ctx),
    end: (ctx, { params }) => service.endSession(ctx, params),
    endOthers: ctx => service.endOtherSessions(ctx),
    endByLink: (ctx, { body }) => service.endSignInByLink(ctx, body),
  })
}
