import { paths } from '../paths.ts'
import { tab } from '../storage.ts'

const KEY = 'back'
const OWNER = 'back_owner'

/**
 * Remembers this address, which needs a session, for after the sign-in.
 * @param owner the user whose session ended here: nobody else is led to their page. Null: whoever signs in.
 */
export function rememberReturnTo(owner: string | null): void {
  const { pathname, search } = window.location
  if (pathname === paths.login || pathname === paths.home) return
  tab.write(KEY, pathname + search)
  if (owner) tab.write(OWNER, owner)
  else tab.remove(OWNER)
}

/** The remembered address, once, unless it is another user's. */
export function takeReturnTo(userId: string): string | null {
  const back = tab.read(KEY)
  const owner = tab.read(OWNER)
  tab.remove(KEY)
  tab.remove(OWNER)
  if (owner && owner !== userId) return null
  return back !== null && isOwn(back) ? back : null
}

/**
 * Whether it is a path of ours to the letter (T-75): a browser that had to read it as something else, for a second slash,
 * a backslash or a sign that it drops, did not write it.
 */
function isOwn(path: string): boolean {
  const { origin } = window.location
  return URL.canParse(path, origin) && new URL(path, origin).href === origin + path
}
