/**
 * Whether a key belongs to an input method that is still composing a word: its Enter accepts the word and must do
 * nothing else. Safari reports the last key after the composition has ended, as key code 229.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
