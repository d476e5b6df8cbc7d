import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { Icon } from '../base/Icon.tsx'
import { Checkbox } from '../form/Checkbox.tsx'
import type { Column, Row, Sort } from './table-view.ts'

interface Props<R extends Row> {
  columns: readonly Column<R>[]
  sort: Sort | null
  onSort: (key: string) => void
  actionsLabel: string | undefined
  selectAll: { label: string; all: boolean; some: boolean; onChange: (all: boolean) => void } | undefined
}

export function TableHead<R extends Row>({ columns, sort, onSort, actionsLabel, selectAll }: Props<R>) {
  return (
    <thead>
      <tr>
        {selectAll && (
          <th className="c-check" scope="col">
            <Checkbox
              aria-label={selectAll.label}
              checked={selectAll.all}
              mixed={selectAll.some && !selectAll.all}
              onChange={event => selectAll.onChange(event.target.checked)}
            />
          </th>
        )}
        {columns.map(column => (
          <th
            key={column.key}
            scope="col"
            className={column.end ? 'c-num' : undefined}
            aria-sort={sort?.key === column.key ? (sort.down ? 'descending' : 'ascending') : undefined}
          >
            {column.sortable === false ? (
              column.label
            ) : (
              <SortButton
                label={column.label}
                sort={sort?.key === column.key ? sort : null}
                onPress={() => onSort(column.key)}
              />
            )}
          </th>
        ))}
        {actionsLabel && (
          <th className="c-act" scope="col">
            <span className="sr">{actionsLabel}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function SortButton({ label, sort, onPress }: { label: string; sort: Sort | null; onPress: () => void }) {
  return (
    <button type="button" className="sort" data-on={sort ? '' : undefined} onClick={onPress}>
      <span>{label}</span>
      <Icon of={sort?.down ? ArrowDown : ArrowUp} size={12} className="sort__mark" />
    </button>
  )
}
