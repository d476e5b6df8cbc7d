import type { ReactNode } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Select } from '../form/Select.tsx'
import { NavEntry } from './NavEntry.tsx'
import type { NavGroup } from './shell-types.ts'
import './shell.css'

export interface AccountShellProps {
  label: string
  groups: readonly NavGroup[]
  /** Called by the dropdown that replaces the list on narrow screens. */
  onNavigate: (href: string) => void
  /** Key of the current view: a new one replays the entry animation. */
  view?: string
  children: ReactNode
}

export function AccountShell({ label, groups, onNavigate, view, children }: AccountShellProps) {
  const items = groups.flatMap(group => group.items)
  const current = items.find(item => item.current)
  return (
    <div className="acct">
      <nav className="subnav" aria-label={label}>
        {groups.map(group => (
          <div key={group.key} className="subnav__group">
            {group.label && (
              <p className="subnav__label">
                <bdi>{group.label}</bdi>
              </p>
            )}
            {group.items.map(item => (
              <NavEntry key={item.key} item={item} size={16} />
            ))}
          </div>
        ))}
      </nav>
      <div>
        <nav className="navselect" aria-label={label}>
          <Select
            aria-label={label}
            value={current?.href ?? ''}
            start={current && <Icon of={current.icon} />}
            options={items.map(item => ({ value: item.href ?? '', label: item.label }))}
            onChange={event => onNavigate(event.target.value)}
          />
        </nav>
        <main key={view} id="main" tabIndex={-1} className="acct__main">
          {children}
        </main>
      </div>
    </div>
  )
}

/** The page's description and its main action. */
export function PageHead({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <p>{text}</p>
      {children}
    </div>
  )
}
