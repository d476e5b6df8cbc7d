import { language } from '../lib/i18n/language.ts'
import { loadTexts } from '../lib/i18n/texts.ts'
import { plain } from '../lib/navigate.ts'
import { session } from '../lib/session/store.ts'
import { redirectOf } from './guard.ts'
import { layoutViews } from './layouts/views.ts'
import { isNotFound, lostRoute, notFoundView, routeOf } from './routes.ts'

/** Loads the code and texts of a screen and its layout ahead of a visit. */
export function prefetch(href: string): void {
  // Ignore failures here: the visit loads it again and shows the failure.
  load(href).catch(() => undefined)
}

/** Loads everything the first screen needs. The page shows failures itself. */
export async function prefetchNow(): Promise<void> {
  await Promise.allSettled([loadTexts(language.get()), load(window.location.pathname)])
}

async function load(href: string): Promise<void> {
  const path = plain(href.split(/[?#]/)[0] ?? href)
  const route = routeOf(redirectOf(routeOf(path), session.get()) ?? path) ?? lostRoute
  const frame = session.get() || !isNotFound(route) ? layoutViews[route.layout] : undefined
  await Promise.all([(route.view ?? notFoundView).load(), frame?.load()])
}
