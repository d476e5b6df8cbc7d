import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { trackEvents } from './service.ts'

export function eventRoutes(server: Server) {
  mount(server, contract.events, { track: (ctx, { body }) => trackEvents(ctx, body) })
}
