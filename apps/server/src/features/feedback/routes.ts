import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { storeFeedback } from './service.ts'

export function feedbackRoutes(server: Server) {
  mount(server, contract.feedback, { send: (ctx, { body }) => storeFeedback(ctx, body) })
}
