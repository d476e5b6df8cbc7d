import { type RefObject, useLayoutEffect } from 'react'

/**
 * While the focus is in the list, no toast closes by itself. So it goes back to where it was when a toast is closed, and
 * when the pointer leaves a toast that was clicked. Native listeners: the toasts are portals, and React's events of a
 * portal do not pass through the list.
 * @returns puts the focus back, if it is in the list
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

/** Where the focus was before it came into a list. */
const origins = new WeakMap<HTMLElement, HTMLElement | null>()

function returnFocus(place: HTMLElement): void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !place.contains(focused)) return
  const origin = origins.get(place)
  if (origin?.isConnected) origin.focus({ preventScroll: true })
  else focused.blur()
}
