import { language } from '../lib/i18n/language.ts'
import { loadTexts } from '../lib/i18n/texts.ts'
import { plain } from '../lib/navigate.ts'
import { session } from '../lib/session/store.ts'
import { redirectOf } from './guard.ts'
import { layoutViews } from './layouts/views.ts'
import { isNotFound, lostRoute, notFoundView, routeOf } from './routes.ts'

/** Fetches the code and texts of a screen and its frame before they are asked for. */
export function prefetch(href: string): void {
  // Failing ahead of time is no failure: the visit itself tries again and tells.
  load(href).catch(() => undefined)
}

/** Everything the address in the bar needs for its first paint. A failure is left to the page, which can say so. */
export async function prefetchNow(): Promise<void> {
  await Promise.allSettled([loadTexts(language.get()), load(window.location.pathname)])
}

async function load(href: string): Promise<void> {
  const path = plain(href.split(/[?#]/)[0] ?? href)
  const route = routeOf(redirectOf(routeOf(path), session.get()) ?? path) ?? lostRoute
  const frame = session.get() || !isNotFound(route) ? layoutViews[route.layout] : undefined
  await Promise.all([(route.view ?? notFoundView).load(), frame?.load()])
}
