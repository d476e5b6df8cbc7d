import { useMemo, useRef } from 'react'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { sortTexts } from '../../lib/sort-texts.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { TextSpan } from '../../ui/base/TextSpan.tsx'
import { SearchBox } from '../../ui/form/SearchBox.tsx'
import { Pagination } from '../../ui/table/Pagination.tsx'
import { Table } from '../../ui/table/Table.tsx'
import { arrange } from '../../ui/table/table-view.ts'
import { useUsersView } from './use-users-view.ts'
import { type DemoUser, usersColumns } from './users-columns.tsx'

const PER_PAGE = 20

/** @param users undefined while loading; the frame is shown already */
export function UsersCard({ users, currency }: { users: readonly DemoUser[] | undefined; currency: string }) {
  const t = useT()
  const currentLanguage = useStore(language)
  const card = useRef<HTMLDivElement>(null)
  const { view, search, arrange: rearrange, turnTo } = useUsersView()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column labels depend on the language
  const columns = useMemo(() => usersColumns(t, currency), [currency, currentLanguage])
  const { key, down } = view.sort
  const found = useMemo(() => {
    const matching = arrange(users ?? [], columns.searched, { search: view.search, sort: null })
    return arrange(matching, columns.shown, { search: '', sort: { key, down } })
  }, [users, columns, view.search, key, down])

  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE))
  // A search or a shared link can name a page beyond the last one.
  const page = Math.min(view.page, pages)
  const start = (page - 1) * PER_PAGE
  const rows = found.slice(start, start + PER_PAGE)

  function turnPage(to: number): void {
    turnTo(to)
    const top = card.current?.getBoundingClientRect().top ?? 0
    if (top < 0) card.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <Card aria-label={t('dashboard.users.title')}>
      <div ref={card} />
      <Table
        remote
        columns={columns.shown}
        rows={users && rows}
        view={{ search: view.search, sort: view.sort }}
        onViewChange={rearrange}
        toolbar={
          <>
            <h2 className="h2">{t('dashboard.users.title')}</h2>
            <SearchBox
              label={t('dashboard.users.search')}
              clearLabel={t('global.table.clear_search')}
              value={view.search}
              onChange={search}
              debounce={150}
            />
          </>
        }
        texts={{
          label: t('dashboard.users.title'),
          search: t('dashboard.users.search'),
          empty: t('global.table.empty'),
          noResults: (
            <>
              <TextSpan>{t('dashboard.users.no_match', { search: view.search })}</TextSpan>{' '}
              <Button size="sm" variant="ghost" onClick={() => search('')}>
                {t('dashboard.users.clear')}
              </Button>
            </>
          ),
          loading: t('global.loading'),
          actions: '',
          actionsFor: user => user.name,
          selectAll: '',
          select: user => user.name,
          selected: String,
          clear: '',
          sort: sortTexts(t),
        }}
        footer={
          users && (
            <Pagination
              label={t('dashboard.users.pages')}
              start={found.length ? start + 1 : 0}
              end={start + rows.length}
              total={found.length}
              onPrevious={page > 1 ? () => turnPage(page - 1) : undefined}
              onNext={page < pages ? () => turnPage(page + 1) : undefined}
              texts={{
                showing: (from, to, total) => t('dashboard.users.showing', { from, to, total }),
                none: t('dashboard.users.none'),
                previous: t('dashboard.users.previous'),
                next: t('dashboard.users.next'),
              }}
            />
          )
        }
      />
    </Card>
  )
}
