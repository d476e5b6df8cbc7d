import { useState, useSyncExternalStore } from 'react'
import { navigate as push, usePathname, useSearch } from 'wouter/use-browser-location'

/** Opens a screen. `replace` adds no history entry: for redirects. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  push(to, { replace: options.replace ?? false, state: { step: crypto.randomUUID() } })
}

/** The current path without the query and a trailing slash. */
export function usePath(): string {
  return plain(usePathname())
}

export const plain = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/**
 * The query of the current screen. While the next screen loads, the address is already that of the next
 * screen, so this screen keeps its last query.
 */
export function useQuery(): string {
  const [path, search] = [usePath(), useSearch()]
  const [here] = useState(path)
  const [last, setLast] = useState(search)
  if (path !== here) return last
  if (search !== last) setLast(search)
  return search
}

export function useQueryValue(name: string): string | null {
  return new URLSearchParams(useQuery()).get(name)
}

/** Whether the window has at least this width; updates when it is resized. */
export function useWide(minimum: number): boolean {
  const query = `(min-width: ${minimum}px)`
  return useSyncExternalStore(
    listener => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
