import Bell from 'lucide-react/icons/bell'
import Building from 'lucide-react/icons/building-2'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import CreditCard from 'lucide-react/icons/credit-card'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Lock from 'lucide-react/icons/lock'
import ScrollText from 'lucide-react/icons/scroll-text'
import Settings from 'lucide-react/icons/settings'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Users from 'lucide-react/icons/users'
import type { TextKey } from '../lib/i18n/texts.ts'
import { type Path, paths } from '../lib/paths.ts'
import type { Session } from '../lib/session/store.ts'
import type { IconType } from '../ui/base/Icon.tsx'
import { redirectOf } from './guard.ts'
import { isOpen, routeOf } from './routes.ts'

export type Entry = { path: Path; label: TextKey; icon: IconType }

const top: readonly Entry[] = [
  { path: paths.dashboard, label: 'account.nav.dashboard', icon: LayoutDashboard },
  { path: paths.account, label: 'account.nav.account', icon: Settings },
]
const bottom: readonly Entry[] = [{ path: paths.help, label: 'account.nav.help', icon: LifeBuoy }]

const own: readonly Entry[] = [
  { path: paths.profile, label: 'account.nav.profile', icon: CircleUserRound },
  { path: paths.password, label: 'account.nav.password', icon: Lock },
  { path: paths.twoFactor, label: 'account.nav.two_factor', icon: ShieldCheck },
  { path: paths.notifications, label: 'account.nav.notifications', icon: Bell },
]
const shared: readonly Entry[] = [
  { path: paths.billing, label: 'account.nav.billing', icon: CreditCard },
  { path: paths.apiKeys, label: 'account.nav.api_keys', icon: KeyRound },
  { path: paths.users, label: 'account.nav.users', icon: Users },
  { path: paths.sso, label: 'account.nav.sso', icon: Building },
  { path: paths.audit, label: 'account.nav.audit', icon: ScrollText },
]

/** The navigation entries that this user can open without a redirect. */
export function navigationOf(user: Session) {
  const open = (entries: readonly Entry[]) => entries.filter(entry => leadsTo(entry.path, user))
  return { top: open(top), bottom: open(bottom), own: open(own), shared: open(shared) }
}

/** Whether the user can open this path without a redirect. */
export const leadsTo = (path: Path, user: Session): boolean =>
  isOpen(path, user.permission) && redirectOf(routeOf(path), user) === null

/**
 * The navigation entry of a path: its first three segments (`/account/apikeys/edit` → API keys). The upgrade
 * screen belongs to billing.
 */
export const sectionOf = (path: string) =>
  path === paths.upgrade ? paths.billing : path.split('/').slice(0, 3).join('/')

/** Whether a path belongs to an entry of the main navigation: all account screens belong to Account. */
export const isWithin = (path: string, entry: Path) => path === entry || path.startsWith(`${entry}/`)
