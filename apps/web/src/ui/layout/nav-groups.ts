import { createContext, use } from 'react'
import type { NavGroup } from './shell-types.ts'

const Groups = createContext<readonly NavGroup[]>([])

/** The frame tells the screens inside it which places of the account area it offers. */
export const NavGroups = Groups.Provider

export const useNavGroups = (): readonly NavGroup[] => use(Groups)
