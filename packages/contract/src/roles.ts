/** The permissions of each role. Admin and developer do not include each other. */
const includes = {
  master: ['master', 'owner', 'admin', 'developer', 'user'],
  owner: ['owner', 'admin', 'developer', 'user'],
  admin: ['admin', 'user'],
  developer: ['developer', 'user'],
  user: ['user'],
} as const

export type Role = keyof typeof includes
/** Permissions have the names of the roles: an endpoint `needs` one, a role `grants` it. */
export type Permission = Role

export const roles = ['master', 'owner', 'admin', 'developer', 'user'] as const satisfies readonly Role[]
/** Roles of a membership. Master is a property of the user. */
export const memberRoles = ['owner', 'admin', 'developer', 'user'] as const
/** Roles that an invite or an edit can assign. */
export const assignableRoles = ['admin', 'developer', 'user'] as const
export type AssignableRole = (typeof assignableRoles)[number]

/** Compares roles; nothing else does. */
export function grants(role: Role, permission: Permission): boolean {
  return (includes[role] as readonly Permission[]).includes(permission) // as: a tuple's includes() takes only its own members
}

export function isAssignableRole(value: unknown): value is AssignableRole {
  return assignableRoles.some(role => role === value)
}

export function isRole(value: unknown): value is Role {
  return roles.some(role => role === value)
}
