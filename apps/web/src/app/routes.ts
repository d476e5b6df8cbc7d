import { grants, type Permission, type Role } from '@plinth/contract/roles'
import type { TextKey } from '../lib/i18n/texts.ts'
import { plain } from '../lib/navigate.ts'
import { type Path, paths } from '../lib/paths.ts'
import { type View, view } from './view.ts'

export type Layout = 'app' | 'auth' | 'account' | 'onboarding'

export type Route = {
  path: Path
  layout: Layout
  /** The required permission; undefined = public. */
  needs?: Permission
  /** Key of the document's title, in a namespace of the view or in global. */
  title?: TextKey
  /** Without a view the route shows the 404 page and navigation leaves it out. */
  view?: View
}

const signIn = view(() => import('../features/sign-in/SignInScreen.tsx').then(m => m.SignInScreen), ['auth'])
const lost = view(() => import('./NotFoundScreen.tsx').then(m => m.NotFoundScreen))

/** The 404 route, used for all unknown paths. */
export const lostRoute: Route = {
  path: paths.notFound,
  layout: 'app',
  title: 'global.not_found.title',
  view: lost,
}

/**
 * All screens. To add one: write `features/<feature>/<Name>Screen.tsx` and give its row a `title` and a
 * `view` with the namespaces of its texts. Navigation, guard, title, layout and prefetching follow from the
 * row.
 */
export const routes: readonly Route[] = [
  { path: paths.home, layout: 'auth', title: 'auth.sign_in.title', view: signIn },
  { path: paths.login, layout: 'auth', title: 'auth.sign_in.title', view: signIn },
  {
    path: paths.signUp,
    layout: 'auth',
    title: 'auth.sign_up.title',
    view: view(
      () => import('../features/account/sign-up/SignUpScreen.tsx').then(m => m.SignUpScreen),
      ['auth'],
    ),
  },
  {
    path: paths.verify,
    layout: 'auth',
    needs: 'user',
    title: 'auth.verify.title',
    view: view(
      () => import('../features/account/sign-up/VerifyScreen.tsx').then(m => m.VerifyScreen),
      ['auth', 'links'],
    ),
  },
  {
    path: paths.plan,
    layout: 'auth',
    needs: 'owner',
    title: 'billing.plan.title',
    view: view(() => import('../features/billing/plan/PlanScreen.tsx').then(m => m.PlanScreen), ['billing']),
  },
  {
    path: paths.acceptInvite,
    layout: 'auth',
    title: 'links.invite.title',
    view: view(
      () => import('../features/team/accept-invite/AcceptInviteScreen.tsx').then(m => m.AcceptInviteScreen),
      ['auth', 'links'],
    ),
  },
  {
    path: paths.otp,
    layout: 'auth',
    title: 'two_factor.otp.title',
    view: view(
      () => import('../features/sign-in/two-factor/OtpScreen.tsx').then(m => m.OtpScreen),
      ['two_factor'],
    ),
  },
  {
    path: paths.social,
    layout: 'auth',
    title: 'social.title',
    view: view(
      () => import('../features/sign-in/social/SocialScreen.tsx').then(m => m.SocialScreen),
      ['auth', 'social'],
    ),
  },
  {
    path: paths.saml,
    layout: 'auth',
    title: 'sso.start.title',
    view: view(
      () => import('../features/sign-in/sso/SamlScreen.tsx').then(m => m.SamlScreen),
      ['auth', 'sso'],
    ),
  },
  {
    path: paths.samlCallback,
    layout: 'auth',
    title: 'sso.callback.title',
    view: view(
      () => import('../features/sign-in/sso/SamlCallbackScreen.tsx').then(m => m.SamlCallbackScreen),
      ['auth', 'sso'],
    ),
  },
  {
    path: paths.magic,
    layout: 'auth',
    title: 'auth.magic.title',
    view: view(
      () => import('../features/sign-in/magic-link/MagicLinkScreen.tsx').then(m => m.MagicLinkScreen),
      ['auth'],
    ),
  },
  {
    path: paths.forgotPassword,
    layout: 'auth',
    title: 'auth.forgot.title',
    view: view(
      () => import('../features/sign-in/reset/ForgotPasswordScreen.tsx').then(m => m.ForgotPasswordScreen),
      ['auth'],
    ),
  },
  {
    path: paths.resetPassword,
    layout: 'auth',
    title: 'auth.reset.title',
    view: view(
      () => import('../features/sign-in/reset/ResetPasswordScreen.tsx').then(m => m.ResetPasswordScreen),
      ['auth'],
    ),
  },
  {
    path: paths.impersonate,
    layout: 'auth',
    title: 'auth.impersonate.title',
    view: view(
      () => import('../features/impersonation/ImpersonateScreen.tsx').then(m => m.ImpersonateScreen),
      ['auth'],
    ),
  },
  {
    path: paths.endSignIn,
    layout: 'auth',
    title: 'links.end_sign_in.title',
    view: view(
      () => import('../features/sessions/EndSignInScreen.tsx').then(m => m.EndSignInScreen),
      ['auth', 'links'],
    ),
  },
  {
    path: paths.undoEmail,
    layout: 'auth',
    title: 'links.undo_email.title',
    view: view(
      () => import('../features/account/email-change/UndoEmailScreen.tsx').then(m => m.UndoEmailScreen),
      ['auth', 'links'],
    ),
  },
  {
    path: paths.dashboard,
    layout: 'app',
    needs: 'user',
    title: 'dashboard.title',
    view: view(
      () => import('../features/dashboard/DashboardScreen.tsx').then(m => m.DashboardScreen),
      ['dashboard'],
    ),
  },
  {
    path: paths.welcome,
    layout: 'onboarding',
    needs: 'user',
    title: 'onboarding.title',
    view: view(
      () => import('../features/onboarding/WelcomeScreen.tsx').then(m => m.WelcomeScreen),
      ['onboarding', 'team'],
    ),
  },
  {
    path: paths.help,
    layout: 'app',
    needs: 'user',
    title: 'account.nav.help',
    view: view(() => import('../features/help/HelpScreen.tsx').then(m => m.HelpScreen), ['account', 'help']),
  },
  {
    path: paths.account,
    layout: 'app',
    needs: 'user',
    title: 'account.nav.account',
    view: view(
      () => import('../features/account/overview/OverviewScreen.tsx').then(m => m.OverviewScreen),
      ['account', 'billing'],
    ),
  },
  {
    path: paths.profile,
    layout: 'account',
    needs: 'user',
    title: 'account.profile.title',
    view: view(
      () => import('../features/account/profile/ProfileScreen.tsx').then(m => m.ProfileScreen),
      ['account', 'social'],
    ),
  },
  {
    path: paths.password,
    layout: 'account',
    needs: 'user',
    title: 'account.nav.password',
    view: view(
      () => import('../features/account/profile/PasswordScreen.tsx').then(m => m.PasswordScreen),
      ['account'],
    ),
  },
  {
    path: paths.twoFactor,
    layout: 'account',
    needs: 'user',
    title: 'account.nav.two_factor',
    view: view(
      () => import('../features/sign-in/two-factor/TwoFactorScreen.tsx').then(m => m.TwoFactorScreen),
      ['account', 'two_factor'],
    ),
  },
  {
    path: paths.notifications,
    layout: 'account',
    needs: 'user',
    title: 'account.nav.notifications',
    view: view(
      () =>
        import('../features/account/notifications/NotificationsScreen.tsx').then(m => m.NotificationsScreen),
      ['account'],
    ),
  },
  {
    path: paths.billing,
    layout: 'account',
    needs: 'owner',
    title: 'account.nav.billing',
    view: view(
      () => import('../features/billing/BillingScreen.tsx').then(m => m.BillingScreen),
      ['account', 'billing'],
    ),
  },
  {
    path: paths.sso,
    layout: 'account',
    needs: 'owner',
    title: 'sso.title',
    view: view(
      () => import('../features/sign-in/sso/SsoScreen.tsx').then(m => m.SsoScreen),
      ['account', 'sso'],
    ),
  },
  {
    path: paths.upgrade,
    layout: 'account',
    needs: 'owner',
    title: 'billing.upgrade.title',
    view: view(
      () => import('../features/billing/plan/UpgradeScreen.tsx').then(m => m.UpgradeScreen),
      ['account', 'billing'],
    ),
  },
  {
    path: paths.users,
    layout: 'account',
    needs: 'admin',
    title: 'account.nav.users',
    view: view(
      () => import('../features/team/UsersScreen.tsx').then(m => m.UsersScreen),
      ['account', 'team'],
    ),
  },
  {
    path: paths.audit,
    layout: 'account',
    needs: 'admin',
    title: 'audit.title',
    view: view(
      () => import('../features/audit/AuditScreen.tsx').then(m => m.AuditScreen),
      ['account', 'audit', 'team'],
    ),
  },
  {
    path: paths.apiKeys,
    layout: 'account',
    needs: 'developer',
    title: 'api_keys.title',
    view: view(
      () => import('../features/api-keys/ApiKeysScreen.tsx').then(m => m.ApiKeysScreen),
      ['account', 'api_keys'],
    ),
  },
  {
    path: paths.createApiKey,
    layout: 'account',
    needs: 'developer',
    title: 'api_keys.form.new_title',
    view: view(
      () => import('../features/api-keys/CreateApiKeyScreen.tsx').then(m => m.CreateApiKeyScreen),
      ['account', 'api_keys'],
    ),
  },
  {
    path: paths.editApiKey,
    layout: 'account',
    needs: 'developer',
    title: 'api_keys.form.edit_title',
    view: view(
      () => import('../features/api-keys/EditApiKeyScreen.tsx').then(m => m.EditApiKeyScreen),
      ['account', 'api_keys'],
    ),
  },
  lostRoute,
  { ...lostRoute, path: paths.notFoundToo },
]

const byPath = new Map<string, Route>(routes.map(route => [route.path, route]))

export const routeOf = (path: string): Route | undefined => byPath.get(plain(path))

/** The 404 page, for unknown paths and for routes without a view. */
export const notFoundView = lost
export const isNotFound = (route: Route | undefined) => !route?.view || route.view === lost

/** Whether navigation may link to this path: its screen exists and the role may open it. */
export function isOpen(path: Path, role: Role): boolean {
  const route = routeOf(path)
  return Boolean(route?.view && (!route.needs || grants(role, route.needs)))
}
