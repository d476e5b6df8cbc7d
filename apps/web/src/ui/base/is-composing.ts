/**
 * Whether an input method is composing a word: Enter then only accepts the word. Safari reports this key
 * after the composition has ended, with key code 229.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
