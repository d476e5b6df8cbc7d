import { type ReactNode, useState } from 'react'
import { EmptyState } from '../base/EmptyState.tsx'
import { SearchBox } from '../form/SearchBox.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { TableSkeleton } from './TableSkeleton.tsx'
import { type SortTexts, TableSort } from './TableSort.tsx'
import {
  arrange,
  type BulkAction,
  type Column,
  nextSort,
  type Row,
  type RowAction,
  type TableView,
} from './table-view.ts'
import { useRowFocus } from './use-row-focus.ts'
import './table.css'

export interface TableTexts<R extends Row> {
  /** Name of the rows, for example "Users". */
  label: string
  search: string
  clearSearch?: string
  empty: ReactNode
  /** Shown when a search has no match. */
  noResults: ReactNode
  loading: string
  actions: string
  actionsFor: (row: R) => string
  selectAll: string
  select: (row: R) => string
  selected: (count: number) => string
  clear: string
  /** Texts of the sort menu on phones; without it rows cannot be sorted there. */
  sort?: SortTexts
}

export interface TableProps<R extends Row> {
  columns: readonly Column<R>[]
  /** Undefined while loading: skeletons are shown. */
  rows: readonly R[] | undefined
  texts: TableTexts<R>
  searchable?: boolean
  actions?: readonly RowAction<R>[]
  /** Makes rows selectable. */
  bulk?: readonly BulkAction[]
  selected?: readonly string[]
  onSelectedChange?: (ids: string[]) => void
  /** Controlled by the caller, usually stored in the URL; otherwise local state. */
  view?: TableView
  onViewChange?: (view: TableView) => void
  /** The server searches and sorts, so rows keep their order. */
  remote?: boolean
  /** Replaces the empty text when there are no rows. */
  blank?: ReactNode
  /** At the end of the search line. */
  toolbar?: ReactNode
  footer?: ReactNode
}

const PLAIN: TableView = { search: '', sort: null }

/** A table with sorting, search and selection. Below 800 px, each row becomes a card of two lines. */
export function Table<R extends Row>(props: TableProps<R>) {
  const { columns, rows, texts, actions, bulk, remote, footer } = props
  const [ownView, setOwnView] = useState(PLAIN)
  const [ownSelected, setOwnSelected] = useState<readonly string[]>([])
  const view = props.view ?? ownView
  const shown = remote ? rows : rows && arrange(rows, columns, view)
  // Drop the selection of rows that were deleted elsewhere.
  const selected = (props.selected ?? ownSelected).filter(id => rows?.some(row => row.id === id))

  const hasSelection = Boolean(bulk && selected.length > 0)
  const focusing = useRowFocus(
    shown?.map(row => row.id),
    hasSelection,
  )

  function changeView(next: TableView) {
    if (!props.view) setOwnView(next)
    props.onViewChange?.(next)
  }
  function select(ids: readonly string[]) {
    if (!props.selected) setOwnSelected(ids)
    props.onSelectedChange?.([...ids])
  }
  const toggleSelected = (id: string) =>
    select(selected.includes(id) ? selected.filter(other => other !== id) : [...selected, id])

  if (rows?.length === 0 && !view.search && props.blank) return props.blank

  return (
    <>
      <div className="table-place">
        {(props.searchable || props.toolbar) && (
          <div className="toolbar">
            {props.searchable && (
              <SearchBox
                label={texts.search}
                clearLabel={texts.clearSearch}
                value={view.search}
                debounce={remote ? 250 : 0}
                onChange={search => changeView({ ...view, search })}
              />
            )}
            {props.toolbar}
          </div>
        )}
        {texts.sort && (
          <TableSort
            columns={columns}
            sort={view.sort}
            texts={texts.sort}
            onSort={sort => changeView({ ...view, sort })}
          />
        )}
        <table
          {...focusing}
          className={bulk ? 'table table--stack has-check' : 'table table--stack'}
          aria-label={texts.label}
          aria-busy={!rows}
        >
          <TableHead
            columns={columns}
            sort={view.sort}
            onSort={key => changeView({ ...view, sort: nextSort(view.sort, key) })}
            actionsLabel={actions && texts.actions}
            selectAll={
              bulk && {
                label: texts.selectAll,
                all: Boolean(shown?.length && shown.every(row => selected.includes(row.id))),
                some: selected.length > 0,
                onChange: all => select(all && shown ? shown.map(row => row.id) : []),
              }
            }
          />
          {shown ? (
            <tbody>
              {shown.map(row => (
                <TableRow
                  key={row.id}
                  row={row}
                  columns={columns}
                  actions={actions}
                  actionsLabel={texts.actionsFor(row)}
                  selection={
                    bulk && {
                      label: texts.select(row),
                      checked: selected.includes(row.id),
                      onChange: () => toggleSelected(row.id),
                    }
                  }
                />
              ))}
            </tbody>
          ) : (
            <TableSkeleton
              columns={columns}
              check={Boolean(bulk)}
              actions={Boolean(actions)}
              label={texts.loading}
            />
          )}
        </table>
        {shown?.length === 0 && <EmptyState title={view.search ? texts.noResults : texts.empty} level={3} />}
        {footer}
      </div>
      {bulk && hasSelection && (
        <SelectionBar
          label={texts.label}
          count={texts.selected(selected.length)}
          clear={texts.clear}
          actions={bulk}
          ids={selected}
          onClear={() => select([])}
        />
      )}
    </>
  )
}
