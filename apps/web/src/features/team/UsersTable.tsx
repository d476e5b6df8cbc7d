import type { Member, Page } from '@plinth/contract'
import { isAssignableRole } from '@plinth/contract/roles'
import Funnel from 'lucide-react/icons/funnel'
import Mail from 'lucide-react/icons/mail'
import Trash from 'lucide-react/icons/trash-2'
import UserIcon from 'lucide-react/icons/user'
import { useMemo, useRef, useState } from 'react'
import { count } from '../../lib/i18n/format.ts'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { sortTexts } from '../../lib/sort-texts.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { TextSpan } from '../../ui/base/TextSpan.tsx'
import { SearchBox } from '../../ui/form/SearchBox.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { Pagination } from '../../ui/table/Pagination.tsx'
import { Table } from '../../ui/table/Table.tsx'
import { RolesDialog } from './RolesDialog.tsx'
import { askRemoveAll } from './remove-members.tsx'
import { rowActions } from './row-actions.ts'
import { composeMail } from './team-actions.ts'
import { labelOf, mayManage, type TeamRow } from './team-row.ts'
import { statuses, type useTeamView } from './use-team-view.ts'
import { statusWord, usersColumns } from './users-columns.tsx'

type Props = {
  /** Undefined while loading. */
  rows: TeamRow[] | undefined
  /** The current user is the only owner of the account. */
  onlyOwner: boolean
  page: Page | undefined
  teamView: ReturnType<typeof useTeamView>
  onEdit: (member: Member) => void
}

export function UsersTable({ rows, onlyOwner, page, teamView, onEdit }: Props) {
  const t = useT()
  const currentLanguage = useStore(language)
  const { permission, account_id, accounts } = useSignedIn()
  const account = accounts.find(({ id }) => id === account_id)?.name ?? accounts[0]?.name ?? ''
  const [selected, setSelected] = useState<string[]>([])
  const top = useRef<HTMLDivElement>(null)
  const { view } = teamView
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column labels depend on the language
  const columns = useMemo(() => usersColumns(t), [currentLanguage])
  const actions = rowActions(t, { role: permission, account, onlyOwner, edit: onEdit })
  const chosen = (ids: readonly string[]) => (rows ?? []).filter(({ id }) => ids.includes(id))
  const deletable = (row: TeamRow) => mayManage(permission, row) && !(row.kind === 'user' && row.you)
  const toDelete = chosen(selected).filter(deletable)
  const changeable = (row: TeamRow) => deletable(row) && isAssignableRole(row.permission)
  const toChange = chosen(selected).filter(changeable)
  const [asked, setAsked] = useState<{ rows: TeamRow[]; fixed: TeamRow[] } | null>(null)

  function turnPage(cursor: string): void {
    setSelected([])
    teamView.turnTo(cursor)
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <>
      <div ref={top} />
      <Table
        remote
        columns={columns}
        rows={rows}
        actions={actions}
        view={{ search: view.search, sort: view.sort }}
        onViewChange={teamView.arrange}
        selected={selected}
        onSelectedChange={setSelected}
        bulk={[
          {
            key: 'contact',
            label: t('team.action.contact'),
            icon: Mail,
            onSelect: ids => composeMail(chosen(ids)),
          },
          ...(toChange.length > 0
            ? [
                {
                  key: 'permission',
                  label: t('team.action.change_roles'),
                  icon: UserIcon,
                  onSelect: () =>
                    setAsked({
                      rows: toChange,
                      fixed: chosen(selected).filter(row => !changeable(row)),
                    }),
                },
              ]
            : []),
          ...(toDelete.length > 0
            ? [
                {
                  key: 'delete',
                  label: t('team.action.delete'),
                  icon: Trash,
                  danger: true,
                  onSelect: () =>
                    askRemoveAll(toDelete, chosen(selected).length - toDelete.length, account, () =>
                      setSelected([]),
                    ),
                },
              ]
            : []),
        ]}
        toolbar={
          <div className="row flex-nowrap gap-2 min-w-0">
            <SearchBox
              label={t('team.users.search')}
              clearLabel={t('global.table.clear_search')}
              value={view.search}
              onChange={teamView.search}
              debounce={250}
            />
            <StatusFilter teamView={teamView} />
          </div>
        }
        texts={{
          label: t('team.users.title'),
          search: t('team.users.search'),
          empty: view.status ? (
            <>
              <TextSpan>{t('team.users.no_status', { status: t(statusWord(view.status)) })}</TextSpan>{' '}
              <Button size="sm" variant="ghost" onClick={() => teamView.filter(null)}>
                {t('team.users.clear_filter')}
              </Button>
            </>
          ) : (
            t('global.table.empty')
          ),
          noResults: (
            <>
              <TextSpan>{t('team.users.no_match', { search: view.search })}</TextSpan>{' '}
              <Button size="sm" variant="ghost" onClick={() => teamView.search('')}>
                {t('team.users.clear')}
              </Button>
            </>
          ),
          loading: t('global.loading'),
          actions: t('team.action.actions'),
          actionsFor: row => t('team.action.actions_for', { name: labelOf(row) }),
          selectAll: t('team.users.select_all'),
          select: row => t('team.users.select', { name: labelOf(row) }),
          selected: many => t('team.users.selected', { count: many }),
          clear: t('team.users.clear_selection'),
          sort: sortTexts(t),
        }}
        footer={page && rows && <UsersPagination page={page} shown={rows.length} turn={turnPage} />}
      />
      <RolesDialog chosen={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function StatusFilter({ teamView }: { teamView: ReturnType<typeof useTeamView> }) {
  const t = useT()
  const { status } = teamView.view
  const entry = (value: typeof status) => ({
    key: value ?? 'all',
    label: value ? t(statusWord(value)) : t('team.status.all'),
    selected: value === status,
    onSelect: () => teamView.filter(value),
  })
  return (
    <Menu
      align="start"
      entries={[entry(null), ...statuses.map(entry)]}
      trigger={
        <Button
          size="sm"
          icon={<Icon of={Funnel} />}
          aria-label={t('team.users.filter', { status: t(status ? statusWord(status) : 'team.status.all') })}
        >
          {status ? t(statusWord(status)) : t('team.users.status')}
        </Button>
      }
    />
  )
}

function UsersPagination({
  page,
  shown,
  turn,
}: {
  page: Page
  shown: number
  turn: (cursor: string) => void
}) {
  const t = useT()
  const { start, total, previous, next } = page
  return (
    <Pagination
      label={t('team.users.pages')}
      start={start}
      end={start + shown - 1}
      total={total ?? Number.POSITIVE_INFINITY}
      onPrevious={previous ? () => turn(previous) : undefined}
      onNext={next ? () => turn(next) : undefined}
      texts={{
        showing: (from, to, all) =>
          total === null
            ? t('team.users.showing_many', { from, to, total: count(1000) })
            : t('team.users.showing', { from, to, total: all }),
        none: t('team.users.none'),
        previous: t('team.users.previous'),
        next: t('team.users.next'),
      }}
    />
  )
}
