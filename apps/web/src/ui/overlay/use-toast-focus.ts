import { type RefObject, useLayoutEffect } from 'react'

/**
 * No toast closes automatically while the focus is in the list. So restore the previous focus when a toast is
 * closed, and when the pointer leaves a clicked toast. Native listeners, because React events of portals do
 * not pass through the list.
 * @returns restores the focus if it is in the list
 */
export function useToastFocus(list: RefObject<HTMLElement | null>): () => void {
  useLayoutEffect(() => {
    const listElement = list.current
    if (!listElement) return
    const remember = ({ relatedTarget }: FocusEvent) => {
      const inside = relatedTarget instanceof Node && listElement.contains(relatedTarget)
      if (!inside) origins.set(listElement, relatedTarget instanceof HTMLElement ? relatedTarget : null)
    }
    const leave = () => {
      if (listElement.querySelector(':focus:not(:focus-visible)')) returnFocus(listElement)
    }
    listElement.addEventListener('focusin', remember)
    listElement.addEventListener('pointerleave', leave)
    return () => {
      listElement.removeEventListener('focusin', remember)
      listElement.removeEventListener('pointerleave', leave)
    }
  }, [list])

  return () => {
    if (list.current) returnFocus(list.current)
  }
}

/** The element that had the focus before the list got it. */
const origins = new WeakMap<HTMLElement, HTMLElement | null>()

function returnFocus(listElement: HTMLElement): void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !listElement.contains(focused)) return
  const origin = origins.get(listElement)
  if (origin?.isConnected) origin.focus({ preventScroll: true })
  else focused.blur()
}
