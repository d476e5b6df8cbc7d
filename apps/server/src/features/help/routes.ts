import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { sendHelpRequest } from './service.ts'

export function helpRoutes(server: Server) {
  mount(server, contract.help, { send: (ctx, { body }) => sendHelpRequest(ctx, body) })
}
