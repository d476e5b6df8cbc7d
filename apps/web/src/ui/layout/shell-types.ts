import type { IconType } from '../base/Icon.tsx'

/** A link, or an action if `href` is missing. */
export interface NavItem {
  /** Shown only in the drawer on phones. */
  drawerOnly?: boolean
  key: string
  label: string
  icon: IconType
  href?: string
  onSelect?: () => void
  /** Whether this is the current page or one below it. */
  current?: boolean
}

export interface NavGroup {
  key: string
  label?: string
  items: readonly NavItem[]
}
