/** What each role grants (specification, section 6). Admin and developer do not include each other. */
const includes = {
  master: ['master', 'owner', 'admin', 'developer', 'user'],
  owner: ['owner', 'admin', 'developer', 'user'],
  admin: ['admin', 'user'],
  developer: ['developer', 'user'],
  user: ['user'],
} as const

export type Role = keyof typeof includes
/** A permission has the same names as the roles: an endpoint `needs` one, a role `grants` it. */
export type Permission = Role

export const roles = ['master', 'owner', 'admin', 'developer', 'user'] as const satisfies readonly Role[]
/** Roles that a membership can hold; master sits on the user. */
export const memberRoles = ['owner', 'admin', 'developer', 'user'] as const
/** Roles that can be given in an invite or an edit: never owner. */
export const givenRoles = ['admin', 'developer', 'user'] as const
export type GivenRole = (typeof givenRoles)[number]

/** The only comparison of roles. */
export function grants(role: Role, permission: Permission): boolean {
  return (includes[role] as readonly Permission[]).includes(permission) // as: a tuple's includes() takes only its own members
}

export function isGivenRole(value: unknown): value is GivenRole {
  return givenRoles.some(role => role === value)
}

export function isRole(value: unknown): value is Role {
  return roles.some(role => role === value)
}
