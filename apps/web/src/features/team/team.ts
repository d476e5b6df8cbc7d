import type { Invite, Member } from '@plinth/contract'
import { grants, type Role } from '@plinth/contract/roles'
import type { TextKey } from '../../lib/i18n/texts.ts'

/** One row of the list: a member, or an invite that waits. */
export type TeamRow = (Member & { kind: 'user' }) | (Invite & { kind: 'invite' })

/** Both lists in the order that the server gives. */
export function rowsOf(data: { users: Member[]; invites: Invite[]; order: string[] }): TeamRow[] {
  const rows = new Map<string, TeamRow>()
  for (const user of data.users) rows.set(user.id, { ...user, kind: 'user' })
  for (const invite of data.invites) rows.set(invite.id, { ...invite, kind: 'invite' })
  return data.order.flatMap(id => rows.get(id) ?? [])
}

/** What a row is called: an invited person has no name yet. */
export const labelOf = (row: TeamRow) => (row.kind === 'user' ? row.name : row.email)

/** Whether somebody of this role may edit or delete a row: of a role that their own includes. */
export const mayManage = (role: Role, row: TeamRow) => grants(role, 'admin') && grants(role, row.permission)

export const roleNames: Record<Role, TextKey> = {
  master: 'team.roles.master',
  owner: 'team.roles.owner',
  admin: 'team.roles.admin',
  developer: 'team.roles.developer',
  user: 'team.roles.user',
}
