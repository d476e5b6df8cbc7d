import MenuIcon from 'lucide-react/icons/menu'
import { type ReactNode, useState } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Link } from '../base/Link.tsx'
import { Brand, Logo } from '../base/Logo.tsx'
import { Truncate } from '../base/Truncate.tsx'
import { Drawer } from '../overlay/Drawer.tsx'
import { NavEntry } from './NavEntry.tsx'
import type { NavItem } from './shell-types.ts'
import './shell.css'

export interface AppShellProps {
  brand: string
  home: string
  /** Content of the h1. */
  title: ReactNode
  /** The current account, shown below the title to users with several. */
  account?: string | undefined
  top: readonly NavItem[]
  bottom: readonly NavItem[]
  /** The button that opens the palette, before the avatar. */
  search?: ReactNode
  /** The avatar menu. */
  user?: ReactNode
  /** The signed-in user, at the end of the drawer. */
  drawerFoot?: ReactNode
  /** Floating elements, such as the feedback button. */
  floating?: ReactNode
  labels: { main: string; openMenu: string; closeMenu: string; menu: string; skip: string }
  children: ReactNode
}

/**
 * Side rail and bar on wide screens, bar and drawer on narrow ones. Children render their own <main
 * id="main">.
 */
export function AppShell(props: AppShellProps) {
  const { brand, home, title, account, top, bottom, search, user, drawerFoot, floating, labels, children } =
    props
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div className="app">
      <a className="btn btn--primary skip" href="#main">
        {labels.skip}
      </a>
      <nav className="rail" aria-label={labels.main}>
        <Link className="rail__logo" href={home} aria-label={brand}>
          <Logo />
        </Link>
        {top.map(item => (
          <NavEntry key={item.key} item={item} className="rail__item" bare />
        ))}
        <span className="rail__gap" />
        {bottom
          .filter(item => !item.drawerOnly)
          .map(item => (
            <NavEntry key={item.key} item={item} className="rail__item" bare />
          ))}
      </nav>
      <div>
        <header className="bar">
          <Link className="m-only" href={home} aria-label={brand}>
            <Logo />
          </Link>
          <div className="bar__title">
            <h1>{title}</h1>
            {account && (
              <p className="t12 ink3">
                <Truncate>{account}</Truncate>
              </p>
            )}
          </div>
          <span className="bar__gap" />
          {search}
          {user}
          <button
            type="button"
            className="hit burger"
            aria-label={labels.openMenu}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <Icon of={MenuIcon} size={20} />
          </button>
        </header>
        {children}
      </div>
      {floating}
      <Drawer
        open={open}
        onClose={close}
        label={labels.menu}
        closeLabel={labels.closeMenu}
        head={<Brand name={brand} size={24} />}
      >
        <nav className="drawer__nav" aria-label={labels.main}>
          {top.map(item => (
            <NavEntry key={item.key} item={item} buttonClassName="drawer__btn" onPress={close} />
          ))}
          <span className="drawer__gap" />
          {bottom.map(item => (
            <NavEntry key={item.key} item={item} buttonClassName="drawer__btn" onPress={close} />
          ))}
        </nav>
        {drawerFoot && <div className="drawer__foot">{drawerFoot}</div>}
      </Drawer>
    </div>
  )
}

/** The main content of an app page. */
export function Main({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <main id="main" tabIndex={-1} className={className ? `main ${className}` : 'main'}>
      {children}
    </main>
  )
}
