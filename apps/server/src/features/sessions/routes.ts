import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import * as service from './service.ts'

export function sessionRoutes(server: Server) {
  mount(server, contract.sessions, {
    list: ctx => service.list(ctx),
    end: (ctx, { params }) => service.end(ctx, params),
    endOthers: ctx => service.endOthers(ctx),
    endByLink: (ctx, { body }) => service.endByLink(ctx, body),
  })
}
