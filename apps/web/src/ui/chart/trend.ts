/** A change is for the better unless its text carries a minus sign, typed or typeset. */
export const isDecrease = (change: string): boolean => /[-−]/.test(change)
