/** How the drawing process ends when the picture is to blame; anything else is an accident. */
export const brokenImage = 3
export const tooManyPixels = 4
