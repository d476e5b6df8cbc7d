import type { Control } from '../form/types.ts'

/**
 * A ref for controls made of several elements: `<div ref={focusable(control, box =>
 * box.querySelector('input'))}>` selects the element to focus when this field has the first error.
 */
export function focusable(control: Control, find: (box: HTMLElement) => HTMLElement | null | undefined) {
  return (box: HTMLElement | null): void => {
    if (!box || typeof control.ref !== 'function') return
    control.ref({ focus: () => find(box)?.focus() } as HTMLElement) // as: the form calls nothing but focus
  }
}
