import { useState, useSyncExternalStore } from 'react'
import { navigate as push, usePathname, useSearch } from 'wouter/use-browser-location'

/** Goes to a screen of ours. `replace` leaves no step to come back to: for redirects. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  push(to, { replace: options.replace ?? false, state: { step: crypto.randomUUID() } })
}

/** Where the visitor is, without the query and a trailing slash. */
export function usePath(): string {
  return plain(usePathname())
}

export const plain = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/**
 * The query of the screen that asks. While the next screen is on its way the address is that one's already, and this
 * one keeps the query it was left with: it would show for a moment what is for nobody.
 */
export function useQuery(): string {
  const [path, search] = [usePath(), useSearch()]
  const [here] = useState(path)
  const [last, setLast] = useState(search)
  if (path !== here) return last
  if (search !== last) setLast(search)
  return search
}

/** One value of that query. */
export function useQueryValue(name: string): string | null {
  return new URLSearchParams(useQuery()).get(name)
}

/** Whether the window is at least this wide; follows the window. */
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
