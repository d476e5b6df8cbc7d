import { tab } from '../lib/storage.ts'

/**
 * After a deployment, an open page requests files that no longer exist; a reload loads the new build. At most
 * once per build, to avoid a loop, and only if the server responds, because an offline reload would lose the
 * page.
 */
export async function reloadIfStale(reload = () => window.location.reload()): Promise<void> {
  const build = import.meta.url
  if (tab.read('reloaded') === build) return
  // The server sends pages only for requests that accept HTML.
  const request: RequestInit = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } }
  const answer = await fetch(window.location.pathname, request).catch(() => null)
  if (!answer?.ok) return
  tab.write('reloaded', build)
  reload()
}
