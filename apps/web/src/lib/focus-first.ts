/**
 * Whether a screen that is one form may focus its first field when it opens. Not with a finger: that would open the
 * keyboard over the page.
 */
export const mayFocusField = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches
