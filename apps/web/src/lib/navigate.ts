import { useSyncExternalStore } from 'react'
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

/** One value of the address's query. */
export function useQueryValue(name: string): string | null {
  return new URLSearchParams(useSearch()).get(name)
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
