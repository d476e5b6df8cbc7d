import Heart from 'lucide-react/icons/heart'
import LogOut from 'lucide-react/icons/log-out'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate, usePath } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { slotPlace } from '../../lib/slots.tsx'
import { AccountShell } from '../../ui/layout/AccountShell.tsx'
import { AppShell, Main } from '../../ui/layout/AppShell.tsx'
import { NavGroups } from '../../ui/layout/nav-groups.ts'
import type { NavGroup, NavItem } from '../../ui/layout/shell-types.ts'
import { type Entry, isWithin, navigationOf, sectionOf } from '../navigation.ts'
import { useAccountName } from './account-name.ts'
import { Banner } from './Banner.tsx'
import { Feedback } from './Feedback.tsx'
import { feedbackOpen, mayGiveFeedback } from './feedback-open.ts'
import type { LayoutProps } from './layout-props.ts'
import { PaletteButton } from './PaletteButton.tsx'
import { SignedInUser } from './SignedInUser.tsx'
import { UserMenu } from './UserMenu.tsx'

/** A side rail on wide screens, a top bar and a drawer on small ones; the bar contains the page's h1. */
export function AppLayout({ layout, path, title, children }: LayoutProps) {
  const t = useT()
  const user = useSignedIn()
  const { top, bottom } = navigationOf(user)
  const account = useAccountName()
  // Marks the chosen navigation entry while its screen loads.
  const chosen = usePath()
  const items = useItems(entry => isWithin(chosen, entry.path))
  const groups = useAccountGroups(chosen)
  const out: NavItem = { key: 'out', label: t('account.nav.sign_out'), icon: LogOut, onSelect: signOut }
  const feedback: NavItem = {
    key: 'feedback',
    label: t('account.nav.feedback'),
    icon: Heart,
    drawerOnly: true,
    onSelect: () => feedbackOpen.set(true),
  }
  return (
    <AppShell
      brand={t('global.app')}
      home={paths.dashboard}
      title={title}
      account={user.accounts.length > 1 ? account : undefined}
      top={items(top)}
      bottom={[...items(bottom), ...(mayGiveFeedback(user) ? [feedback] : []), out]}
      search={
        <>
          <div className="row" ref={slotPlace('bar')} />
          <PaletteButton />
        </>
      }
      user={<UserMenu />}
      drawerFoot={<SignedInUser />}
      floating={<Feedback />}
      labels={{
        main: t('account.nav.main'),
        openMenu: t('account.nav.open_menu'),
        closeMenu: t('global.close'),
        menu: t('account.nav.menu'),
        skip: t('global.skip'),
      }}
    >
      <NavGroups value={groups}>
        {layout === 'account' ? (
          <AccountShell label={t('account.nav.account')} groups={groups} onNavigate={navigate} view={path}>
            <Banner path={path} />
            {children}
          </AccountShell>
        ) : (
          <Main key={path}>
            <Banner path={path} />
            {children}
          </Main>
        )}
      </NavGroups>
    </AppShell>
  )
}

/** The account navigation: a list on wide screens, a dropdown on small ones, tiles on the overview. */
function useAccountGroups(path: string): NavGroup[] {
  const t = useT()
  const name = useAccountName()
  const { own, shared } = navigationOf(useSignedIn())
  const items = useItems(entry => entry.path === sectionOf(path))
  const groups = [
    { key: 'own', label: t('account.nav.you'), items: items(own) },
    { key: 'shared', label: name, items: items(shared) },
  ]
  return groups.filter(group => group.items.length > 0)
}

/** Navigation entries with translated labels; the current one is marked. */
function useItems(isCurrent: (entry: Entry) => boolean) {
  const t = useT()
  return (entries: readonly Entry[]): NavItem[] =>
    entries.map(entry => ({
      key: entry.path,
      href: entry.path,
      label: t(entry.label),
      icon: entry.icon,
      current: isCurrent(entry),
    }))
}
