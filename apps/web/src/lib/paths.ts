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
  endSignIn: '/signin/end',
  undoEmail: '/signin/undo',
  dashboard: '/dashboard',
  welcome: '/welcome',
  help: '/help',
  account: '/account',
  profile: '/account/profile',
  password: '/account/password',
  twoFactor: '/account/2fa',
  notifications: '/account/notifications',
  billing: '/account/billing',
  sso: '/account/sso',
  upgrade: '/account/upgrade',
  users: '/account/users',
  audit: '/account/audit',
  apiKeys: '/account/apikeys',
  createApiKey: '/account/apikeys/create',
  editApiKey: '/account/apikeys/edit',
  notFound: '/notfound',
  notFoundToo: '/404',
} as const

export type Path = (typeof paths)[keyof typeof paths]

/** How programs call the product with a key: a page of the server's. */
export const apiGuide = '/api/docs#keys'

/** Where a sign-in with a social provider begins: a page of the server's, no screen. */
export const socialStart = (provider: string) => `/auth/social/${encodeURIComponent(provider)}`

/** Where single sign-on begins, by the domain of an address or by a connection. */
export const samlStart = (by: { domain?: string; connection?: string }) =>
  `/auth/saml?${new URLSearchParams(by)}`

/** An address with its query; empty values are left out. */
export function withQuery(path: Path, query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `${path}?${new URLSearchParams(given)}` : path
}
