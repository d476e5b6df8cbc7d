import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { exportCsv } from './csv.ts'
import { listAudit } from './list.ts'

export function auditRoutes(server: Server) {
  mount(server, contract.audit, {
    list: (ctx, { query }) => listAudit(ctx, query),
    csv: (ctx, { body }) => exportCsv(ctx, body),
  })
}
