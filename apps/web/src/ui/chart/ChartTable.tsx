import type { ChartData } from './chart-types.ts'
import '../table/table.css'

interface Props {
  title: string
  /** Header of the first column. */
  category: string
  data: ChartData
  format: (value: number) => string
}

export function ChartTable({ title, category, data, format }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need the focus to scroll it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className="chart__table" role="group" aria-label={title} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{category}</th>
            {data.series.map(one => (
              <th key={one.label} scope="col" className="c-num">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.labels.map((label, index) => (
            <tr key={label}>
              <td>{label}</td>
              {data.series.map(one => (
                <td key={one.label} className="c-num">
                  {one.values[index] === undefined ? '' : format(one.values[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
