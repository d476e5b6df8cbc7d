import { useLayoutEffect, useRef } from 'react'
import { focusOn, isLost } from '../base/restore-focus.ts'

/**
 * A row that goes takes the focus with it; it goes on in the row that comes into its place, or else in the search.
 * Spread what it returns on the table.
 */
export function useRowFocus(ids: readonly string[] | undefined, bar: boolean) {
  const table = useRef<HTMLTableElement>(null)
  const last = useRef<{ id: string; index: number } | null>(null)
  const hadBar = useRef(false)

  // The browser drops the focus in silence, after the rows have changed; there is no event to hang this on.
  useLayoutEffect(() => {
    const barWent = hadBar.current && !bar
    hadBar.current = bar
    const was = last.current
    const rowWent = ids && was && !ids.includes(was.id)
    if (!table.current || !(barWent || rowWent)) return
    if (rowWent) last.current = null
    if (!isLost()) return
    const line = rowWent ? table.current.tBodies[0]?.rows[Math.min(was.index, ids.length - 1)] : undefined
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
