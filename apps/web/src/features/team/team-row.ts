import type { Invite, Member } from '@plinth/contract'
import { grants, type Role } from '@plinth/contract/roles'
import type { TextKey } from '../../lib/i18n/texts.ts'

/** A row of the list: a member or a pending invite. */
export type TeamRow = (Member & { kind: 'user' }) | (Invite & { kind: 'invite' })

/** Members and invites in the order of the server. */
export function rowsOf(data: { users: Member[]; invites: Invite[]; order: string[] }): TeamRow[] {
  const rows = new Map<string, TeamRow>()
  for (const user of data.users) rows.set(user.id, { ...user, kind: 'user' })
  for (const invite of data.invites) rows.set(invite.id, { ...invite, kind: 'invite' })
  return data.order.flatMap(id => rows.get(id) ?? [])
}

/** An invited person has no name yet. */
export const labelOf = (row: TeamRow) => (row.kind === 'user' ? row.name : row.email)

/** Whether a user with this role can edit or delete the row: only if their role includes the row's. */
export const mayManage = (role: Role, row: TeamRow) => grants(role, 'admin') && grants(role, row.permission)

export const roleNames: Record<Role, TextKey> = {
  master: 'team.roles.master',
  owner: 'team.roles.owner',
  admin: 'team.roles.admin',
  developer: 'team.roles.developer',
  user: 'team.roles.user',
}
