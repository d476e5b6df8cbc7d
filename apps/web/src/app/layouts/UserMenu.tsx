import Building from 'lucide-react/icons/building-2'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import LogOut from 'lucide-react/icons/log-out'
import Moon from 'lucide-react/icons/moon'
import Settings from 'lucide-react/icons/settings'
import Sun from 'lucide-react/icons/sun'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { accountLabel } from '../../lib/session/account-label.ts'
import { saveDark } from '../../lib/session/save-preferences.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { dark } from '../../lib/theme.ts'
import { Avatar } from '../../ui/base/Avatar.tsx'
import { Truncate } from '../../ui/base/Truncate.tsx'
import { AvatarButton } from '../../ui/layout/TopBar.tsx'
import { Menu, type MenuEntry } from '../../ui/overlay/Menu.tsx'
import { leadsTo } from '../navigation.ts'
import { SignedInUser } from './SignedInUser.tsx'
import { switchTo } from './switch-account.ts'

/** The avatar menu with the user's name and personal actions. */
export function UserMenu() {
  const t = useT()
  const user = useSignedIn()
  const isDark = useStore(dark)

  const entries: MenuEntry[] = [
    ...useSwitches(),
    ...(leadsTo(paths.account, user)
      ? [
          {
            key: 'edit',
            label: t('account.menu.edit'),
            icon: Settings,
            onSelect: () => navigate(paths.account),
          },
        ]
      : []),
    ...(leadsTo(paths.help, user)
      ? [{ key: 'help', label: t('account.nav.help'), icon: LifeBuoy, onSelect: () => navigate(paths.help) }]
      : []),
    {
      key: 'theme',
      label: isDark ? t('account.menu.light') : t('account.menu.dark'),
      icon: isDark ? Sun : Moon,
      onSelect: () => void saveDark(!isDark),
    },
    { key: 'line', separator: true },
    { key: 'out', label: t('account.menu.sign_out'), icon: LogOut, onSelect: signOut },
  ]
  return (
    <Menu
      // Wider if the entries also show role and date.
      width={user.accounts.some(account => accountLabel(t, account, user.accounts)) ? 304 : 248}
      label={t('account.nav.your_menu')}
      entries={entries}
      head={<SignedInUser />}
      trigger={
        <AvatarButton label={t('account.nav.your_menu')}>
          <Avatar name={user.name} src={user.avatar} size="md" />
        </AvatarButton>
      }
    />
  )
}

/** The accounts to switch between; empty with a single account. */
function useSwitches(): MenuEntry[] {
  const t = useT()
  const { accounts, account_id } = useSignedIn()
  if (accounts.length < 2) return []
  return [
    { key: 'switch', heading: t('account.menu.switch') },
    ...accounts.map(account => ({
      key: account.id,
      label: <AccountLabel name={account.name} line={accountLabel(t, account, accounts)} />,
      icon: Building,
      selected: account.id === account_id,
      onSelect: () => void (account.id !== account_id && switchTo(account.id)),
    })),
    { key: 'accounts-end', separator: true },
  ]
}

function AccountLabel({ name, line }: { name: string; line: string | null }) {
  return (
    <span className={line ? 'block py-1' : 'block'}>
      <span className="block">
        <Truncate>{name}</Truncate>
      </span>
      {line && <span className="block whitespace-normal t12 ink3">{line}</span>}
    </span>
  )
}
