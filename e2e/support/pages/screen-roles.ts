export const allRoles = ['master', 'owner', 'admin', 'developer', 'user']
/** Every account screen with the roles that can open it. */
export const rolesOfScreen: Record<string, string[]> = {
  '/account': allRoles,
  '/account/profile': allRoles,
  '/account/password': allRoles,
  '/account/2fa': allRoles,
  '/account/notifications': allRoles,
  '/help': allRoles,
  '/account/users': ['master', 'owner', 'admin'],
  '/account/audit': ['master', 'owner', 'admin'],
  '/account/apikeys': ['master', 'owner', 'developer'],
  '/account/apikeys/create': ['master', 'owner', 'developer'],
  '/account/billing': ['master', 'owner'],
  '/account/upgrade': ['master', 'owner'],
  '/account/sso': ['master', 'owner'],
}
