/** A change is for the better unless its text carries a minus sign, typed or typeset. */
export const isDown = (change: string): boolean => /[-−]/.test(change)
