import { createContext, use } from 'react'
import type { NavGroup } from './shell-types.ts'

const Groups = createContext<readonly NavGroup[]>([])

/** The account layout provides the groups of its navigation to the screens inside. */
export const NavGroups = Groups.Provider

export const useNavGroups = (): readonly NavGroup[] => use(Groups)
