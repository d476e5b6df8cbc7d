import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { giveFeedback } from './service.ts'

export function feedbackRoutes(server: Server) {
  mount(server, contract.feedback, { send: (ctx, { body }) => giveFeedback(ctx, body) })
}
