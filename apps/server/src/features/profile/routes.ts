import { contract } from '@plinth/contract'
import { mount, type Server } from '../../http/mount.ts'
import { readProfile, updateProfile } from './service.ts'

export function profileRoutes(server: Server) {
  mount(server, contract.profile, {
    read: ctx => readProfile(ctx),
    update: (ctx, { body }) => updateProfile(ctx, body),
  })
}
