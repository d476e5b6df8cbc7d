import type { AuditEntry, Page } from '@plinth/contract'
import { useMemo, useRef } from 'react'
import { count } from '../../lib/i18n/format.ts'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useStore } from '../../lib/store.ts'
import { Pagination } from '../../ui/table/Pagination.tsx'
import { Table } from '../../ui/table/Table.tsx'
import { auditColumns, nameOf } from './audit-columns.tsx'
import { Filters } from './Filters.tsx'
import type { AuditView } from './use-audit-view.ts'

type Props = {
  /** Undefined while loading. */
  rows: readonly AuditEntry[] | undefined
  page: Page | undefined
  auditView: AuditView
}

export function AuditTable({ rows, page, auditView }: Props) {
  const t = useT()
  const currentLanguage = useStore(language)
  const top = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column labels depend on the language
  const columns = useMemo(() => auditColumns(t), [currentLanguage])

  function turnPage(cursor: string): void {
    auditView.turnTo(cursor)
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <>
      <div ref={top} />
      <h2 className="sr">{t('audit.title')}</h2>
      <Table
        remote
        columns={columns}
        rows={rows}
        view={{
          search: auditView.view.search,
          sort: { key: 'date_created', down: !auditView.view.oldestFirst },
        }}
        onViewChange={auditView.reverseOrder}
        toolbar={<Filters auditView={auditView} />}
        texts={{
          label: t('audit.title'),
          search: t('audit.search'),
          empty: t(auditView.filtered ? 'audit.no_match' : 'audit.blank'),
          noResults: t('audit.no_match'),
          loading: t('global.loading'),
          // Entries can't be selected or changed.
          actions: '',
          actionsFor: row => nameOf(t, row),
          selectAll: '',
          select: row => nameOf(t, row),
          selected: String,
          clear: t('audit.clear'),
        }}
        footer={page && rows && <AuditPagination page={page} shown={rows.length} turn={turnPage} />}
      />
    </>
  )
}

function AuditPagination({
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
      label={t('audit.pages')}
      start={start}
      end={start + shown - 1}
      total={total ?? Number.POSITIVE_INFINITY}
      onPrevious={previous ? () => turn(previous) : undefined}
      onNext={next ? () => turn(next) : undefined}
      texts={{
        showing: (from, to, all) =>
          total === null
            ? t('audit.showing_many', { from, to, total: count(1000) })
            : t('audit.showing', { from, to, total: all }),
        none: t('audit.none'),
        previous: t('audit.previous'),
        next: t('audit.next'),
      }}
    />
  )
}
