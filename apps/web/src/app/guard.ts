import { landingPath, redirectFor } from '@plinth/contract/access'
import { t } from '../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../lib/link-token.ts'
import { paths } from '../lib/paths.ts'
import type { Session } from '../lib/session/store.ts'
import { toast } from '../ui/overlay/toast.ts'
import { isNotFound, type Route } from './routes.ts'

/** The path to redirect to, or null when the screen (or the 404 page) may be shown. */
export function redirectOf(route: Route | undefined, user: Session | null): string | null {
  if (!route || isNotFound(route)) return null
  const signedIn = user !== null
  if (signedIn && (route.path === paths.home || route.path === paths.login)) return landingPath(user)
  return redirectFor(user, route.path, route.needs)
}

/** Explains why another screen opens: the user's role does not allow the requested one. */
export function tellForbidden(): void {
  toast({ variant: 'info', title: t('global.forbidden.title'), description: t('global.forbidden.text') })
}

/**
 * A used verification link opens the dashboard. Says so once, because the link would otherwise seem to have
 * worked.
 */
export function tellSpentLink(): void {
  if (!linkToken(paths.verify)) return
  dropLinkToken(paths.verify)
  toast({ variant: 'info', title: t('global.link_spent.title'), description: t('global.link_spent.text') })
}
