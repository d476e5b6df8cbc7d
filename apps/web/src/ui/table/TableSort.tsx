import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import { Icon } from '../base/Icon.tsx'
import { Select } from '../form/Select.tsx'
import type { Column, Row, Sort } from './table-view.ts'

export interface SortTexts {
  /** Label for screen readers. */
  label: string
  /** Label of an option: column and direction. */
  way: (column: string, down: boolean) => string
}

interface Props<R extends Row> {
  columns: readonly Column<R>[]
  sort: Sort | null
  onSort: (sort: Sort) => void
  texts: SortTexts
}

/** A sort menu for phones, where rows are cards without column heads. */
export function TableSort<R extends Row>({ columns, sort, onSort, texts }: Props<R>) {
  const ways = columns
    .filter(column => column.sortable !== false)
    .flatMap(({ key, label }) => [false, true].map(down => ({ key, down, label: texts.way(label, down) })))
  const chosen = ways.findIndex(way => way.key === sort?.key && way.down === sort.down)
  if (ways.length === 0) return null
  return (
    <div className="table-sort">
      <Select
        aria-label={texts.label}
        start={<Icon of={ArrowDownUp} />}
        placeholder={chosen < 0 ? texts.label : undefined}
        value={chosen < 0 ? '' : String(chosen)}
        options={ways.map(({ label }, index) => ({ value: String(index), label }))}
        onChange={event => {
          const way = ways[Number(event.target.value)]
          if (way) onSort({ key: way.key, down: way.down })
        }}
      />
    </div>
  )
}
