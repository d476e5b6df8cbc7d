import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { createUser } from './creating.ts'
import { invite } from './inviting.ts'
import { acceptAsUser, lookAtInvite } from './joining.ts'
import { listTeam } from './list.ts'
import { removeMember } from './members.ts'
import { transferOwnership } from './owners.ts'
import { listPermissions, withdrawInvite } from './service.ts'
import { signOutMember } from './sign-out.ts'

export function teamRoutes(server: Server) {
  mount(server, contract.team, {
    list: (ctx, { query }) => listTeam(ctx, query),
    remove: (ctx, { params, body }) => removeMember(ctx, { ...body, ...params }),
    signOut: (ctx, { params }) => signOutMember(ctx, params),
    transfer: (ctx, { body }) => transferOwnership(ctx, body),
    permissions: ctx => listPermissions(ctx),
    invite: (ctx, { body: { bypass_signup, confirm_password: _, password, ...body } }) =>
      bypass_signup && password !== undefined ? createUser(ctx, { ...body, password }) : invite(ctx, body),
    withdraw: (ctx, { params }) => withdrawInvite(ctx, params),
    look: (ctx, { body }) => lookAtInvite(ctx, body),
    accept: (ctx, { body }) => acceptAsUser(ctx, body),
  })
}
