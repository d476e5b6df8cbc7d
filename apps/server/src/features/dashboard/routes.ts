import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { demo } from './service.ts'

export function dashboardRoutes(server: Server) {
  mount(server, contract.dashboard, { demo: ctx => demo(ctx) })
}
