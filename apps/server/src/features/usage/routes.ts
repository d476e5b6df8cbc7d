import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { recordUsage } from './service.ts'

export function usageRoutes(server: Server) {
  mount(server, contract.usage, { report: (ctx, { body }) => recordUsage(ctx, body) })
}
