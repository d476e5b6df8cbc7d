/** Every screen of the account, and which roles may see it (specification, sections 2 and 6). */
export const everyone = ['master', 'owner', 'admin', 'developer', 'user']
export const screens: Record<string, string[]> = {
  '/account': everyone,
  '/account/profile': everyone,
  '/account/password': everyone,
  '/account/2fa': everyone,
  '/account/notifications': everyone,
  '/help': everyone,
  '/account/users': ['master', 'owner', 'admin'],
  '/account/audit': ['master', 'owner', 'admin'],
  '/account/apikeys': ['master', 'owner', 'developer'],
  '/account/apikeys/create': ['master', 'owner', 'developer'],
  '/account/billing': ['master', 'owner'],
  '/account/upgrade': ['master', 'owner'],
  '/account/sso': ['master', 'owner'],
}
