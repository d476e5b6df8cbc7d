/**
 * A ref for what appears in the place of the button that was pressed: without it the focus would fall back to the top
 * of the page. One function for all, so that a later render takes nothing away again.
 */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
