import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from './store.ts'

/** Places of a layout that its screen fills: the screen knows the content, the layout where it goes. */
export type SlotName = 'bar' | 'steps' | 'skip' | 'pagination' | 'after'

const places = createStore<Partial<Record<SlotName, HTMLElement | null>>>({})

/** In a layout: the ref of the element that the slot's content is drawn into. */
export function slotPlace(name: SlotName): (element: HTMLElement | null) => void {
  const known = refs.get(name)
  if (known) return known
  const ref = (element: HTMLElement | null) => places.set(now => ({ ...now, [name]: element }))
  refs.set(name, ref)
  return ref
}
// One function per name for ever: a new ref on each render would empty and fill the place again and again.
const refs = new Map<SlotName, (element: HTMLElement | null) => void>()

/** In a screen: `<Slot name="bar"><Button …/></Slot>`. */
export function Slot({ name, children }: { name: SlotName; children: ReactNode }) {
  const place = useStore(places)[name]
  return place ? createPortal(children, place) : null
}
