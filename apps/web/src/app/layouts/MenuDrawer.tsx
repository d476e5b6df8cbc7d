import LogOut from 'lucide-react/icons/log-out'
import { useEffect } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Link } from '../../ui/Link.tsx'
import { Brand } from '../../ui/Mark.tsx'
import { type Entry, isWithin, navigationOf } from '../navigation.ts'
import { useAccountName } from './account-name.ts'

type Props = { open: boolean; onClose: () => void; path: string }

/** The main navigation of small screens. */
export function MenuDrawer({ open, onClose, path }: Props) {
  const t = useT()
  const user = useSignedIn()
  const account = useAccountName()
  const { top, bottom } = navigationOf(user.permission)

  // Arriving somewhere closes it, by whatever way: a link in it, the back button, a redirect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the path counts
  useEffect(() => {
    if (open) onClose()
  }, [path])

  return (
    <Drawer
      open={open}
      onClose={onClose}
      label={t('account.nav.menu')}
      closeLabel={t('global.close')}
      head={<Brand name={t('global.app')} size={24} />}
    >
      {top.map(entry => (
        <DrawerLink key={entry.path} entry={entry} path={path} onClose={onClose} />
      ))}
      <span className="drawer__gap" />
      {bottom.map(entry => (
        <DrawerLink key={entry.path} entry={entry} path={path} onClose={onClose} />
      ))}
      <button type="button" className="drawer__btn" onClick={signOut}>
        <Icon of={LogOut} size={20} flip />
        {t('account.nav.sign_out')}
      </button>
      <hr className="rule my-2" />
      <div className="row flex-nowrap gap-3 px-3 py-2">
        <Avatar name={user.name} src={user.avatar} size="md" />
        <div className="grow">
          <div className="med">{user.name}</div>
          <div className="t13 ink3">{account}</div>
        </div>
      </div>
    </Drawer>
  )
}

function DrawerLink({ entry, path, onClose }: { entry: Entry; path: string; onClose: () => void }) {
  const t = useT()
  return (
    <Link href={entry.path} aria-current={isWithin(path, entry.path) ? 'page' : undefined} onClick={onClose}>
      <Icon of={entry.icon} size={20} />
      {t(entry.label)}
    </Link>
  )
}
