import { type Contract, contract, type Reply } from '@plinth/contract'
import { type Handlers, mount, type Server } from '../../endpoint/mount.ts'
import { acceptInvite } from './accept-invite.ts'
import { createUser } from './create-user.ts'
import { invite } from './invite.ts'
import { acceptAsUser, previewInvite } from './join-account.ts'
import { listPermissions, listTeam } from './list.ts'
import { removeMember, updateMember } from './members.ts'
import { signOutMember } from './sign-out-member.ts'
import { transferOwnership } from './transfer-ownership.ts'
import { withdrawInvite } from './withdraw-invite.ts'

export function teamRoutes(server: Server) {
  mount(server, contract.team, {
    list: (ctx, { query }) => listTeam(ctx, query),
    remove: (ctx, { params, body }) => removeMember(ctx, { ...body, ...params }),
    signOut: (ctx, { params }) => signOutMember(ctx, params),
    transfer: (ctx, { body }) => transferOwnership(ctx, body),
    permissions: ctx => listPermissions(ctx),
    // The contract requires a password with bypass_signup; the check of it is for the compiler.
    invite: (ctx, { body: { bypass_signup, confirm_password: _, password, ...body } }) =>
      bypass_signup && password !== undefined ? createUser(ctx, { ...body, password }) : invite(ctx, body),
    withdraw: (ctx, { params }) => withdrawInvite(ctx, params),
    previewInvite: (ctx, { body }) => previewInvite(ctx, body),
    accept: (ctx, { body }) => acceptAsUser(ctx, body),
  })
}

/** Handlers of contract.accounts. app.ts mounts them together with those of features/account. */
export const acceptInviteHandlers = {
  acceptInvite: (ctx, { body }) => acceptInvite(ctx, body),
} satisfies Partial<Handlers<typeof contract.accounts>>

/** Serves contract.profile.update for another member. */
export async function updateMemberHandler(
  ...[ctx, { body }]: Parameters<Handlers<typeof contract.profile>['update']>
): Promise<Reply<Contract['profile']['update']>> {
  const member: unknown = await updateMember(ctx, { ...body, id: body.id ?? ctx.actor.user_id })
  return member as Reply<Contract['profile']['update']> // as: the reply is a profile or a member; see the contract
}
