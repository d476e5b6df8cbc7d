import LogOut from 'lucide-react/icons/log-out'
import MenuIcon from 'lucide-react/icons/menu'
import { useState } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { slotPlace } from '../../lib/slots.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Link } from '../../ui/Link.tsx'
import { Mark } from '../../ui/Mark.tsx'
import '../../ui/shell.css'
import { type Entry, isWithin, navigationOf } from '../navigation.ts'
import { AccountArea } from './AccountArea.tsx'
import { MenuDrawer } from './MenuDrawer.tsx'
import { UserMenu } from './UserMenu.tsx'
import type { LayoutProps } from './views.ts'

/** Rail on wide screens, top bar and drawer on small ones; the page's h1 is in the bar. */
export function AppLayout({ layout, path, title, children }: LayoutProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <div className="app">
      <Rail path={path} />
      <div>
        <header className="bar">
          <Link className="m-only" href={paths.dashboard} aria-label={t('global.app')}>
            <Mark />
          </Link>
          <h1>{title}</h1>
          <div className="row ms-auto" ref={slotPlace('bar')} />
          <UserMenu />
          <button
            type="button"
            className="hit burger"
            aria-label={t('account.nav.open_menu')}
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            <Icon of={MenuIcon} size={20} />
          </button>
        </header>
        {layout === 'account' ? (
          <AccountArea path={path}>{children}</AccountArea>
        ) : (
          <main className="main">{children}</main>
        )}
      </div>
      <MenuDrawer open={open} onClose={() => setOpen(false)} path={path} />
    </div>
  )
}

function Rail({ path }: { path: string }) {
  const t = useT()
  const { top, bottom } = navigationOf(useSignedIn().permission)
  return (
    <nav className="rail" aria-label={t('account.nav.main')}>
      <Link className="rail__logo" href={paths.dashboard} aria-label={t('global.app')}>
        <Mark />
      </Link>
      {top.map(entry => (
        <RailItem key={entry.path} entry={entry} current={isWithin(path, entry.path)} />
      ))}
      <span className="rail__gap" />
      {bottom.map(entry => (
        <RailItem key={entry.path} entry={entry} current={isWithin(path, entry.path)} />
      ))}
      <button
        type="button"
        className="rail__item"
        title={t('account.nav.sign_out')}
        aria-label={t('account.nav.sign_out')}
        onClick={signOut}
      >
        <Icon of={LogOut} size={20} flip />
      </button>
    </nav>
  )
}

function RailItem({ entry, current }: { entry: Entry; current: boolean }) {
  const t = useT()
  return (
    <Link
      className="rail__item"
      href={entry.path}
      title={t(entry.label)}
      aria-label={t(entry.label)}
      aria-current={current ? 'page' : undefined}
    >
      <Icon of={entry.icon} size={20} />
    </Link>
  )
}
