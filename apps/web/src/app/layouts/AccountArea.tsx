import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate } from '../../lib/navigate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Link } from '../../ui/Link.tsx'
import { Select } from '../../ui/Select.tsx'
import { type Entry, navigationOf, sectionOf } from '../navigation.ts'
import { useAccountName } from './account-name.ts'

/** The secondary navigation: a list on wide screens, a dropdown on small ones. The style sheet shows one of them. */
export function AccountArea({ path, children }: { path: string; children: ReactNode }) {
  const t = useT()
  const { own, shared } = navigationOf(useSignedIn().permission)
  const here = sectionOf(path)
  return (
    <div className="acct">
      <nav className="subnav" aria-label={t('account.nav.account')}>
        <p className="subnav__label">{t('account.nav.you')}</p>
        {own.map(entry => (
          <SubItem key={entry.path} entry={entry} here={here} />
        ))}
        <SharedItems entries={shared} here={here} />
      </nav>
      <div>
        <div className="navselect">
          <Select
            aria-label={t('account.nav.section')}
            value={here}
            options={[...own, ...shared].map(entry => ({ value: entry.path, label: t(entry.label) }))}
            onChange={event => navigate(event.target.value)}
          />
        </div>
        <main className="acct__main">{children}</main>
      </div>
    </div>
  )
}

function SharedItems({ entries, here }: { entries: Entry[]; here: string }) {
  const name = useAccountName()
  if (entries.length === 0) return null
  return (
    <>
      <p className="subnav__label">{name}</p>
      {entries.map(entry => (
        <SubItem key={entry.path} entry={entry} here={here} />
      ))}
    </>
  )
}

function SubItem({ entry, here }: { entry: Entry; here: string }) {
  const t = useT()
  return (
    <Link href={entry.path} aria-current={entry.path === here ? 'page' : undefined}>
      <Icon of={entry.icon} />
      {t(entry.label)}
    </Link>
  )
}
