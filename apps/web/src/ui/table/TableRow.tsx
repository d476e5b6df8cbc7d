import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Checkbox } from '../form/Checkbox.tsx'
import { Menu, type MenuEntry } from '../overlay/Menu.tsx'
import { columnClasses } from './column-class.ts'
import { type Column, fieldOf, formatIso, isIsoDate, type Row, type RowAction } from './table-view.ts'

interface Props<R extends Row> {
  row: R
  columns: readonly Column<R>[]
  actions: readonly RowAction<R>[] | undefined
  actionsLabel: string
  selection: { label: string; checked: boolean; onChange: () => void } | undefined
}

export function TableRow<R extends Row>({ row, columns, actions, actionsLabel, selection }: Props<R>) {
  const places = columnClasses(columns)
  return (
    <tr data-id={row.id} data-selected={selection?.checked || undefined}>
      {selection && (
        <td className="c-check">
          <Checkbox aria-label={selection.label} checked={selection.checked} onChange={selection.onChange} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} className={places[index]}>
          {column.cell ? column.cell(row) : plain(fieldOf(row, column))}
        </td>
      ))}
      {actions && (
        <td className="c-act">
          <RowMenu row={row} actions={actions} label={actionsLabel} />
        </td>
      )}
    </tr>
  )
}

function RowMenu<R extends Row>({
  row,
  actions,
  label,
}: {
  row: R
  actions: readonly RowAction<R>[]
  label: string
}) {
  const fitting = actions.filter(action => action.when?.(row) ?? true)
  if (fitting.length === 0) return null
  const toItem = ({ key, label, icon, danger, onSelect }: RowAction<R>): MenuEntry => ({
    key,
    label,
    icon,
    danger,
    onSelect: () => onSelect(row),
  })
  const calm = fitting.filter(action => !action.danger).map(toItem)
  const final = fitting.filter(action => action.danger).map(toItem)
  const rule: MenuEntry[] = calm.length && final.length ? [{ key: 'rule', separator: true }] : []
  return (
    <Menu
      label={label}
      entries={[...calm, ...rule, ...final]}
      trigger={
        <button type="button" className="row-act" aria-label={label}>
          <Icon of={Ellipsis} />
        </button>
      }
    />
  )
}

function plain(value: unknown): ReactNode {
  if (value === null || value === undefined) return null
  if (!isIsoDate(value)) return String(value)
  return <time dateTime={value}>{formatIso(value, document.documentElement.lang || undefined)}</time>
}
