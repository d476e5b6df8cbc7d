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
  /** The page's one h1. */
  title: ReactNode
  /** Under the title: the open account, for who has several. */
  account?: string | undefined
  top: readonly NavItem[]
  bottom: readonly NavItem[]
  /** In the bar, before the avatar: the button that opens search. */
  search?: ReactNode
  /** The avatar with its menu. */
  user?: ReactNode
  /** At the end of the drawer: who one is. */
  drawerFoot?: ReactNode
  /** The heart and whatever else floats. */
  floating?: ReactNode
  labels: { main: string; openMenu: string; closeMenu: string; menu: string; skip: string }
  children: ReactNode
}

/** Rail and bar on a wide screen, bar and drawer on a narrow one. Children bring their own <main id="main">. */
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

/** The content of an app page: a column of cards. */
export function Main({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <main id="main" tabIndex={-1} className={className ? `main ${className}` : 'main'}>
      {children}
    </main>
  )
}
