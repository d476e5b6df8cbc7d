import CircleArrowUp from 'lucide-react/icons/circle-arrow-up'
import CreditCard from 'lucide-react/icons/credit-card'
import Receipt from 'lucide-react/icons/receipt'
import Users from 'lucide-react/icons/users'
import { tabPath, tabsOf } from '../../features/billing/shared/tabs.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate } from '../../lib/navigate.ts'
import { type Path, paths, withQuery } from '../../lib/paths.ts'
import { type Session, useSignedIn } from '../../lib/session/store.ts'
import type { IconType } from '../../ui/base/Icon.tsx'
import { type Entry, leadsTo, navigationOf } from '../navigation.ts'
import type { Command } from './command.ts'

/** Synonyms that users may type. */
const also: Partial<Record<Path, TextKey>> = {
  [paths.dashboard]: 'palette.also.dashboard',
  [paths.profile]: 'palette.also.profile',
  [paths.twoFactor]: 'palette.also.two_factor',
  [paths.notifications]: 'palette.also.notifications',
  [paths.billing]: 'palette.also.billing',
  [paths.apiKeys]: 'palette.also.api_keys',
  [paths.users]: 'palette.also.users',
  [paths.sso]: 'palette.also.sso',
  [paths.audit]: 'palette.also.audit',
  [paths.help]: 'palette.also.help',
}

/** A part of a screen without its own navigation entry. */
type Part = { href: string; detail: TextKey; icon: IconType }

function partsOf(path: Path, user: Session): Part[] {
  if (path === paths.users)
    return [{ href: withQuery(path, { status: 'invited' }), detail: 'palette.place.invited', icon: Users }]
  if (path !== paths.billing) return []
  const icons = { plan: CreditCard, card: CreditCard, invoices: Receipt }
  const tabs = tabsOf(user.plan).filter(tab => tab !== 'plan')
  return [
    ...tabs.map(tab => ({ href: tabPath(tab), detail: `palette.place.${tab}` as const, icon: icons[tab] })),
    ...(leadsTo(paths.upgrade, user)
      ? [{ href: paths.upgrade, detail: 'palette.place.upgrade' as const, icon: CircleArrowUp }]
      : []),
  ]
}

/** All navigation entries, and parts of some screens. */
export function usePlaces(): Command[] {
  const t = useT()
  const user = useSignedIn()
  const { top, own, shared, bottom } = navigationOf(user)

  function commandsOf({ path, label, icon }: Entry): Command[] {
    const words = also[path]
    const shown = { label: t(label), ...(words && { also: t(words) }) }
    return [
      { ...shown, key: path, icon, run: () => navigate(path) },
      ...partsOf(path, user).map(({ href, detail, icon }) => ({
        label: shown.label,
        detail: t(detail),
        key: href,
        icon,
        run: () => navigate(href),
      })),
    ]
  }
  return [...top, ...own, ...shared, ...bottom].flatMap(commandsOf)
}
