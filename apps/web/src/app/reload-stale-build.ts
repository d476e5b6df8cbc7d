import { tab } from '../lib/storage.ts'

/**
 * After a deployment an open page asks for parts that are gone. Loading the page once brings the new build. Once per
 * build, so that it never loops; and only when the server answers, since offline a reload would lose the page itself.
 */
export async function reloadIfStale(reload = () => window.location.reload()): Promise<void> {
  const build = import.meta.url
  if (tab.read('reloaded') === build) return
  // The server answers pages to page loads alone, which ask for HTML.
  const asked: RequestInit = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } }
  const answer = await fetch(window.location.pathname, asked).catch(() => null)
  if (!answer?.ok) return
  tab.write('reloaded', build)
  reload()
}
