import { createContext, use } from 'react'

/** The open dialog. Floating elements must be inside it, because everything outside is inert and below it. */
const Portal = createContext<HTMLElement | null>(null)

export const PortalProvider = Portal.Provider

/**
 * The container for floating elements: the open dialog, or the landmark of the opener, so that screen readers
 * find them in a named region.
 */
export function usePortal(opener: Element | null): HTMLElement | undefined {
  const dialog = use(Portal)
  return dialog ?? opener?.closest<HTMLElement>('main, header, nav') ?? undefined
}
