/**
 * Whether a screen with a single form focuses its first field when it opens. Not on touch devices, where the
 * on-screen keyboard would cover the page.
 */
export const mayFocusField = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches
