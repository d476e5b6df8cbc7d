/** Whether the text contains a minus sign or hyphen. */
export const isDecrease = (change: string): boolean => /[-−]/.test(change)
