/**
 * A ref that focuses its element when it mounts, for content that replaces the pressed button. Without it the
 * focus returns to the top of the page. It must be a constant function, or React calls it on every render.
 */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
