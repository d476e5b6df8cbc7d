import { paths } from '../paths.ts'
import { tab } from '../storage.ts'

const KEY = 'back'

/** Remembers this address, which needs a session, for after the sign-in. */
export function rememberWayBack(): void {
  const { pathname, search } = window.location
  if (pathname !== paths.login && pathname !== paths.home) tab.write(KEY, pathname + search)
}

/** The remembered address, once. */
export function takeWayBack(): string | null {
  const back = tab.read(KEY)
  tab.remove(KEY)
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
