import { plain } from '../lib/navigate.ts'
import { checkSession } from '../lib/session/check.ts'
import { session } from '../lib/session/store.ts'
import { redirectOf } from './guard.ts'
import { routeOf } from './routes.ts'

/**
 * The stored session may be outdated, for example after a payment. Where it would redirect, asks the server
 * first. Returns true if it did.
 */
export async function checkBeforeRedirect(): Promise<boolean> {
  const user = session.get()
  if (!user || !redirectOf(routeOf(plain(window.location.pathname)), user)) return false
  await checkSession()
  return true
}
