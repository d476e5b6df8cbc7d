/** Paths of all screens, for the web's route table and the server's page routes. */
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

export const notFoundPaths: readonly Path[] = [paths.notFound, paths.notFoundToo]

/** Pages for search engines; the others need a session or a mailed link. */
export const publicPaths: readonly Path[] = [paths.home, paths.login, paths.signUp]
