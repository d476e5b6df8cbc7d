import { useLayoutEffect, useRef } from 'react'
import { focusOn, isLost } from '../base/restore-focus.ts'

/**
 * When the focused row is removed, focuses the row at its position, or the search field. Spread the result on
 * the table.
 */
export function useRowFocus(ids: readonly string[] | undefined, bar: boolean) {
  const table = useRef<HTMLTableElement>(null)
  const last = useRef<{ id: string; index: number } | null>(null)
  const hadBar = useRef(false)

  // No event reports that the focused element was removed, so check after each render.
  useLayoutEffect(() => {
    const barRemoved = hadBar.current && !bar
    hadBar.current = bar
    const previous = last.current
    const rowRemoved = ids && previous && !ids.includes(previous.id)
    if (!table.current || !(barRemoved || rowRemoved)) return
    if (rowRemoved) last.current = null
    if (!isLost()) return
    const line = rowRemoved
      ? table.current.tBodies[0]?.rows[Math.min(previous.index, ids.length - 1)]
      : undefined
    const button = line?.querySelector<HTMLElement>('.row-act')
    if (button) button.focus({ preventScroll: true })
    else focusOn(table.current.closest('.card') ?? table.current)
  }, [ids, bar])

  return {
    ref: table,
    onFocus({ target }: { target: Element }) {
      const line = target.closest<HTMLTableRowElement>('tr[data-id]')
      const id = line?.dataset.id
      last.current = line && id ? { id, index: line.sectionRowIndex } : null
    },
  }
}
