import { paths } from '../paths.ts'
import { tab } from '../storage.ts'

const KEY = 'back'
const OWNER = 'back_owner'

/**
 * Stores the current path to return to after the sign-in.
 * @param owner the user whose session ended: only this user returns here. Null: any user.
 */
export function rememberReturnTo(owner: string | null): void {
  const { pathname, search } = window.location
  if (pathname === paths.login || pathname === paths.home) return
  tab.write(KEY, pathname + search)
  if (owner) tab.write(OWNER, owner)
  else tab.remove(OWNER)
}

/** Returns the stored path and deletes it; null if it belongs to another user. */
export function takeReturnTo(userId: string): string | null {
  const back = tab.read(KEY)
  const owner = tab.read(OWNER)
  tab.remove(KEY)
  tab.remove(OWNER)
  if (owner && owner !== userId) return null
  return back !== null && isOwn(back) ? back : null
}

/**
 * Whether the path is exactly a path of this site. Prevents open redirects: a browser reads `//`, backslashes
 * and control characters differently.
 */
function isOwn(path: string): boolean {
  const { origin } = window.location
  return URL.canParse(path, origin) && new URL(path, origin).href === origin + path
}
