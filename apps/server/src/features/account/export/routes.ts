import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { exportOwnData } from './service.ts'

export function exportRoutes(server: Server) {
  mount(server, contract.dataExport, { own: ctx => exportOwnData(ctx) })
}
