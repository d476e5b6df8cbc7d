import type { ReactNode } from 'react'
import type { IconType } from '../base/Icon.tsx'

export interface Row {
  id: string
}

export interface Column<R extends Row> {
  key: string
  label: string
  /** The value for sorting and search; by default the row's field with this key. */
  value?: (row: R) => unknown
  cell?: (row: R) => ReactNode
  sortable?: boolean
  /** Aligned to the end, for numbers and amounts. */
  end?: boolean
  /**
   * Free text: takes a share of the width and is cut with an ellipsis. The main column is flexible by
   * default.
   */
  flexible?: boolean
  /**
   * Position in a card of two lines: 'main' fills the first line, 'inline' is at its end; 'meta' is on the
   * second line, 'meta-end' at its end, 'meta-roomy' there but not in narrow cards; 'hide' is nowhere.
   * Default: 'main' for the first column, 'meta' for others.
   */
  card?: 'main' | 'inline' | 'meta' | 'meta-end' | 'meta-roomy' | 'hide'
}

export interface RowAction<R extends Row> {
  key: string
  label: string
  icon?: IconType
  danger?: boolean
  /** Shown only for these rows. */
  when?: (row: R) => boolean
  onSelect: (row: R) => void
}

export interface BulkAction {
  key: string
  label: string
  icon?: IconType
  danger?: boolean
  onSelect: (ids: readonly string[]) => void
}

export interface Sort {
  key: string
  down: boolean
}

export interface TableView {
  search: string
  sort: Sort | null
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

export const isIsoDate = (value: unknown): value is string => typeof value === 'string' && ISO.test(value)

/** Formats date and time in the language, without milliseconds. */
export function formatIso(value: string, locale: string | undefined): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(value))
}

export function fieldOf<R extends Row>(row: R, column: Column<R>): unknown {
  if (column.value) return column.value(row)
  return (row as Record<string, unknown>)[column.key] // as: a row has any columns besides its id
}

/** The rows that contain every word of the search, sorted. */
export function arrange<R extends Row>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  view: TableView,
): R[] {
  const words = fold(view.search).split(/\s+/).filter(Boolean)
  const found = words.length ? rows.filter(row => matches(row, columns, words)) : [...rows]
  const column = columns.find(one => one.key === view.sort?.key)
  if (!column || !view.sort) return found
  const direction = view.sort.down ? -1 : 1
  return found.sort((a, b) => compare(fieldOf(a, column), fieldOf(b, column), direction))
}

/** The first press on a column head sorts up, the next one down. */
export function nextSort(sort: Sort | null, key: string): Sort {
  return { key, down: sort?.key === key ? !sort.down : false }
}

function matches<R extends Row>(row: R, columns: readonly Column<R>[], words: readonly string[]): boolean {
  const text = fold(columns.map(column => String(fieldOf(row, column) ?? '')).join(' '))
  return words.every(word => text.includes(word))
}

// "ines" matches "Inês".
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

// Missing values come last in both directions.
function compare(a: unknown, b: unknown, direction: 1 | -1): number {
  const [noA, noB] = [a === null || a === undefined || a === '', b === null || b === undefined || b === '']
  if (noA || noB) return Number(noA) - Number(noB)
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction
  return words.compare(String(a), String(b)) * direction
}
