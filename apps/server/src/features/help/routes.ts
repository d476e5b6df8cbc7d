import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { askForHelp } from './service.ts'

export function helpRoutes(server: Server) {
  mount(server, contract.help, { send: (ctx, { body }) => askForHelp(ctx, body) })
}
