import { createElement as h, type ReactNode, type TableHTMLAttributes } from 'react'
import { light } from './style.ts'

/** A layout table with one row; tables look the same in all mail programs. */
export function table(props: TableHTMLAttributes<HTMLTableElement>, ...cells: ReactNode[]): ReactNode {
  return h(
    'table',
    { role: 'presentation', border: 0, cellPadding: 0, cellSpacing: 0, ...props },
    h('tbody', null, h('tr', null, ...cells)),
  )
}

/** The logo as three coloured table cells: mail programs block images and do not show SVG. */
export function logo(): ReactNode {
  return h(
    'div',
    { 'aria-hidden': true },
    logoBar('cap', 16, light.accent),
    logoBar('slab', 10, light.ink),
    logoBar('slab', 20, light.ink),
  )
}

function logoBar(className: string, width: number, color: string): ReactNode {
  const side = (24 - width) / 2
  return table(
    { style: { margin: `0 ${side}px 1px` } },
    h(
      'td',
      {
        className,
        width,
        height: 5,
        style: { width, height: 5, backgroundColor: color, borderRadius: 1, fontSize: 1, lineHeight: '5px' },
      },
      '\u00a0',
    ),
  )
}
