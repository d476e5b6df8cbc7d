import { Skeleton } from '../base/Skeleton.tsx'
import { columnClasses } from './column-class.ts'
import type { Column, Row } from './table-view.ts'

interface Props<R extends Row> {
  columns: readonly Column<R>[]
  check: boolean
  actions: boolean
  label: string
}

const LINES = [60, 44, 52, 38, 56]

/** As high as real rows, so that the content does not move when they load. */
export function TableSkeleton<R extends Row>({ columns, check, actions, label }: Props<R>) {
  const places = columnClasses(columns)
  return (
    <tbody className="late">
      {LINES.map((width, line) => (
        <tr key={width}>
          {check && <td className="c-check" />}
          {columns.map((column, index) => (
            <td key={column.key} className={places[index]}>
              {line === 0 && index === 0 && (
                <span className="sr" role="status">
                  {label}
                </span>
              )}
              <Skeleton width={`${index === 0 ? width : width - 8}%`} />
            </td>
          ))}
          {actions && <td className="c-act" />}
        </tr>
      ))}
    </tbody>
  )
}
