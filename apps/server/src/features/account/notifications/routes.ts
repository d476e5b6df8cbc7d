import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { changeSettings, listSettings } from './service.ts'

export function notificationRoutes(server: Server) {
  mount(server, contract.notifications, {
    list: ctx => listSettings(ctx),
    update: (ctx, { body }) => changeSettings(ctx, body),
  })
}
