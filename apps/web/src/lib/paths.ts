/** Every screen's address, spelled once. The route table of app/routes.ts has exactly these. */
export const paths = {
  home: '/',
  login: '/login',
  signUp: '/signup',
  verify: '/signup/verify',
  plan: '/signup/plan',
  acceptInvite: '/signup/user',
  otp: '/login/otp',
  social: '/login/social',
  saml: '/login/saml',
  samlCallback: '/login/saml/callback',
  magic: '/magic',
  forgotPassword: '/forgotpassword',
  resetPassword: '/resetpassword',
  impersonate: '/signin/impersonate',
  dashboard: '/dashboard',
  welcome: '/welcome',
  help: '/help',
  account: '/account',
  profile: '/account/profile',
  password: '/account/password',
  twoFactor: '/account/2fa',
  notifications: '/account/notifications',
  billing: '/account/billing',
  upgrade: '/account/upgrade',
  users: '/account/users',
  apiKeys: '/account/apikeys',
  createApiKey: '/account/apikeys/create',
  editApiKey: '/account/apikeys/edit',
  notFound: '/notfound',
  notFoundToo: '/404',
} as const

export type Path = (typeof paths)[keyof typeof paths]

/** An address with its query; empty values are left out. */
export function withQuery(path: Path, query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}
