import { plain } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { tab } from '../../lib/storage.ts'

const KEY = 'verify'

/**
 * Runs before anything else: takes the secret of a mailed link out of the address bar, so that it is in no history,
 * no referrer and no screenshot, and keeps it in this tab, through a sign-in if one is needed.
 */
export function takeMailedToken(): void {
  const { pathname, search } = window.location
  if (plain(pathname) !== paths.verify) return
  const query = new URLSearchParams(search)
  const token = query.get('token')
  if (!token) return
  tab.write(KEY, token)
  query.delete('token')
  window.history.replaceState(window.history.state, '', query.size ? `${pathname}?${query}` : pathname)
}

export const mailedToken = (): string | null => tab.read(KEY)
export const dropMailedToken = (): void => tab.remove(KEY)
