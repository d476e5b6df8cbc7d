import { landing, whereInstead } from '@plinth/contract/access'
import { paths } from '../lib/paths.ts'
import type { Session } from '../lib/session/store.ts'
import { isNotFound, type Route } from './routes.ts'

/** Where a visitor is sent instead of a route, or null when its screen (or the 404 page) may be shown. */
export function redirectOf(route: Route | undefined, user: Session | null): string | null {
  if (!route || isNotFound(route)) return null
  const signedIn = user !== null
  if (signedIn && (route.path === paths.home || route.path === paths.login)) return landing(user)
  return whereInstead(user, route.path, route.needs)
}
