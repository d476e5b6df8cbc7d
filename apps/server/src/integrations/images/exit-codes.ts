/** Exit codes of the image process for invalid input. Any other code is a crash. */
export const brokenImage = 3
export const tooManyPixels = 4
