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
  return back?.startsWith('/') && !back.startsWith('//') ? back : null
}
