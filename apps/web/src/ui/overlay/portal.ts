import { createContext, use } from 'react'

/** The open dialog, if any: what floats must be inside it, because everything outside is inert and below. */
const Portal = createContext<HTMLElement | null>(null)

export const PortalProvider = Portal.Provider

/**
 * Where to put what floats: inside the open dialog, else inside the landmark of what opened it, so that a screen
 * reader finds it in a named part of the page.
 */
export function usePortal(opener: Element | null): HTMLElement | undefined {
  const dialog = use(Portal)
  return dialog ?? opener?.closest<HTMLElement>('main, header, nav') ?? undefined
}
