import type { Column, Row } from './table-view.ts'

/**
 * The class of each column's cells: its position in a card, whether it is flexible and whether it is aligned
 * to the end.
 */
export function columnClasses<R extends Row>(columns: readonly Column<R>[]): string[] {
  const places = columns.map((column, index) => column.card ?? (index === 0 ? 'main' : 'meta'))
  const firstMeta = places.indexOf('meta')
  const names = {
    main: 'c-main',
    inline: 'c-inline',
    hide: 'c-hide',
    meta: 'c-meta',
    'meta-end': 'c-meta c-right',
    'meta-roomy': 'c-meta c-roomy',
  }
  return places.map((place, index) => {
    const first = index === firstMeta ? ' c-first' : ''
    const flexible = columns[index]?.flexible ?? place === 'main'
    return names[place] + first + (flexible ? ' c-flexible' : '') + (columns[index]?.end ? ' c-num' : '')
  })
}
