import type { ApiKey, Page } from '@plinth/contract'
import Ban from 'lucide-react/icons/ban'
import Eye from 'lucide-react/icons/eye'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { count } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { sortTexts } from '../../lib/sort-texts.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { TextSpan } from '../../ui/base/TextSpan.tsx'
import { Pagination } from '../../ui/table/Pagination.tsx'
import { Table } from '../../ui/table/Table.tsx'
import type { useKeysView } from './hooks.ts'
import { askToDelete, askToRevoke, revealKey } from './key-actions.ts'
import { keyColumns } from './key-columns.tsx'
import { RevealedKeyDialog } from './RevealedKeyDialog.tsx'

type Props = {
  rows: readonly ApiKey[] | undefined
  page: Page | undefined
  view: ReturnType<typeof useKeysView>
}

/** The server does not count further than this. */
const COUNTED_TO = 1000

export function KeysTable({ rows, page, view }: Props) {
  const t = useT()
  const [revealed, setRevealed] = useState<{ name: string; value: string } | null>(null)
  // Support can read the list, but not reveal or change a key.
  const support = Boolean(useSignedIn().support_until)

  async function showKey(key: ApiKey): Promise<void> {
    const value = await revealKey(key)
    if (value) setRevealed({ name: key.name, value })
  }
  const byId = (ids: readonly string[]) => rows?.filter(({ id }) => ids.includes(id)) ?? []

  return (
    <Card aria-label={t('api_keys.title')}>
      <Table
        remote
        searchable
        columns={keyColumns(t, support ? null : key => void showKey(key))}
        rows={rows}
        view={view.table}
        onViewChange={next => (next.search === view.search ? view.arrange(next) : view.find(next.search))}
        actions={
          support
            ? undefined
            : [
                {
                  key: 'reveal',
                  label: t('api_keys.action.reveal'),
                  icon: Eye,
                  when: key => key.revealable,
                  onSelect: key => void showKey(key),
                },
                {
                  key: 'edit',
                  label: t('api_keys.action.edit'),
                  icon: Pencil,
                  onSelect: ({ id }) => navigate(withQuery(paths.editApiKey, { id })),
                },
                {
                  key: 'revoke',
                  label: t('api_keys.action.revoke'),
                  icon: Ban,
                  danger: true,
                  when: key => key.revoked_at === null,
                  onSelect: askToRevoke,
                },
                {
                  key: 'delete',
                  label: t('api_keys.action.delete'),
                  icon: Trash,
                  danger: true,
                  onSelect: key => askToDelete([key]),
                },
              ]
        }
        bulk={
          support
            ? undefined
            : [
                {
                  key: 'delete',
                  label: t('api_keys.action.delete'),
                  icon: Trash,
                  danger: true,
                  onSelect: ids => askToDelete(byId(ids)),
                },
              ]
        }
        texts={{
          label: t('api_keys.title'),
          search: t('api_keys.table.search'),
          clearSearch: t('global.table.clear_search'),
          empty: t('global.table.empty'),
          noResults: (
            <>
              <TextSpan>{t('api_keys.table.no_match', { search: view.search })}</TextSpan>{' '}
              <Button size="sm" variant="ghost" onClick={() => view.find('')}>
                {t('api_keys.table.clear')}
              </Button>
            </>
          ),
          loading: t('global.loading'),
          actions: t('api_keys.table.actions'),
          actionsFor: ({ name }) => t('api_keys.table.actions_for', { name }),
          selectAll: t('api_keys.table.select_all'),
          select: ({ name }) => t('api_keys.table.select', { name }),
          selected: chosen => t('api_keys.table.selected', { count: chosen }),
          clear: t('api_keys.table.clear_selection'),
          sort: sortTexts(t),
        }}
        footer={page && <KeysPagination page={page} rows={rows?.length ?? 0} turnTo={view.turnTo} />}
      />
      {revealed && <RevealedKeyDialog {...revealed} onClose={() => setRevealed(null)} />}
    </Card>
  )
}

function KeysPagination({
  page,
  rows,
  turnTo,
}: {
  page: Page
  rows: number
  turnTo: (cursor: string) => void
}) {
  const t = useT()
  const { start, total, previous, next } = page
  return (
    <Pagination
      label={t('api_keys.table.pages')}
      start={start}
      end={start + rows - 1}
      total={total ?? COUNTED_TO}
      onPrevious={previous ? () => turnTo(previous) : undefined}
      onNext={next ? () => turnTo(next) : undefined}
      texts={{
        showing: (from, to, all) =>
          total === null
            ? t('api_keys.table.showing_more', { from, to, total: count(COUNTED_TO) })
            : t('api_keys.table.showing', { from, to, total: all }),
        none: t('api_keys.table.none'),
        previous: t('api_keys.table.previous'),
        next: t('api_keys.table.next'),
      }}
    />
  )
}
