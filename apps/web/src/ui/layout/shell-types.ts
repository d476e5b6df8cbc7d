import type { IconType } from '../base/Icon.tsx'

/** A place to go to, or (without href) something to do. */
export interface NavItem {
  /** Only in the drawer of a phone: on a wide screen it is somewhere else. */
  drawerOnly?: boolean
  key: string
  label: string
  icon: IconType
  href?: string
  onSelect?: () => void
  /** The page one is on, or one under it. */
  current?: boolean
}

export interface NavGroup {
  key: string
  label?: string
  items: readonly NavItem[]
}
