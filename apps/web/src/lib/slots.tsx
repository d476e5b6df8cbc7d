import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from './store.ts'

/** Slots of a layout: a screen renders content into them, the layout decides where they are. */
export type SlotName = 'bar' | 'steps' | 'skip' | 'pagination' | 'after'

const slotElements = createStore<Partial<Record<SlotName, HTMLElement | null>>>({})

/** For layouts: the ref of the element that receives the slot's content. */
export function slotPlace(name: SlotName): (element: HTMLElement | null) => void {
  const known = refs.get(name)
  if (known) return known
  const ref = (element: HTMLElement | null) => slotElements.set(now => ({ ...now, [name]: element }))
  refs.set(name, ref)
  return ref
}
// One ref per slot: a new ref on each render would unmount and mount the content every time.
const refs = new Map<SlotName, (element: HTMLElement | null) => void>()

/** For screens: `<Slot name="bar"><Button …/></Slot>`. */
export function Slot({ name, children }: { name: SlotName; children: ReactNode }) {
  const slotElement = useStore(slotElements)[name]
  return slotElement ? createPortal(children, slotElement) : null
}
