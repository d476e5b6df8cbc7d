import { createContext, use } from 'react'

/** The open dialog, if any: what floats must be inside it, because everything outside is inert and below. */
const Portal = createContext<HTMLElement | null>(null)

export const PortalProvider = Portal.Provider
export const usePortal = (): HTMLElement | undefined => use(Portal) ?? undefined
