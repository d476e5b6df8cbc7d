import type { Control } from '../form/types.ts'

/**
 * The ref for a control made of several elements: `<div ref={focusable(control, box => box.querySelector('input'))}>`
 * tells the form what gets the focus when this field has the first error.
 */
export function focusable(control: Control, find: (box: HTMLElement) => HTMLElement | null | undefined) {
  return (box: HTMLElement | null): void => {
    if (!box || typeof control.ref !== 'function') return
    control.ref({ focus: () => find(box)?.focus() } as HTMLElement) // as: the form calls nothing but focus
  }
}
