import type { Column, Row } from './table-view.ts'

/** The class of each column's cells: where it stands on a phone and whether it is aligned to the end. */
export function placeClasses<R extends Row>(columns: readonly Column<R>[]): string[] {
  const places = columns.map((column, index) => column.phone ?? (index === 0 ? 'main' : 'meta'))
  const firstMeta = places.indexOf('meta')
  const names = {
    main: 'c-main',
    inline: 'c-inline',
    hide: 'c-hide',
    meta: 'c-meta',
    'meta-end': 'c-meta c-right',
  }
  return places.map((place, index) => {
    const first = index === firstMeta ? ' c-first' : ''
    return names[place] + first + (columns[index]?.end ? ' c-num' : '')
  })
}
