import { type RefObject, useLayoutEffect } from 'react'

/**
 * No toast closes automatically while the focus is in the list. So restore the previous focus when a toast is
 * closed, and when the pointer leaves a clicked toast. Native listeners, because React events of portals do
 * not pass through the list.
 * @returns restores the focus if it is in the list
 */
export function useToastFocus(list: RefObject<HTMLElement | null>): () => void {
  useLayoutEffect(() => {
    const place = list.current
    if (!place) return
    const remember = ({ relatedTarget }: FocusEvent) => {
      const inside = relatedTarget instanceof Node && place.contains(relatedTarget)
      if (!inside) origins.set(place, relatedTarget instanceof HTMLElement ? relatedTarget : null)
    }
    const leave = () => {
      if (place.querySelector(':focus:not(:focus-visible)')) returnFocus(place)
    }
    place.addEventListener('focusin', remember)
    place.addEventListener('pointerleave', leave)
    return () => {
      place.removeEventListener('focusin', remember)
      place.removeEventListener('pointerleave', leave)
    }
  }, [list])

  return () => {
    if (list.current) returnFocus(list.current)
  }
}

/** The element that had the focus before the list got it. */
const origins = new WeakMap<HTMLElement, HTMLElement | null>()

function returnFocus(place: HTMLElement): void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !place.contains(focused)) return
  const origin = origins.get(place)
  if (origin?.isConnected) origin.focus({ preventScroll: true })
  else focused.blur()
}
