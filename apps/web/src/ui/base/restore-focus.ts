type Place = { opener: HTMLElement; scope: Element | null; caret: (() => void) | null }

/** Where the focus is before a dialog takes it. An entry of a menu goes at once: the button of the menu stands for it. */
export function saveFocus(): Place | null {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return null
  const menu = focused.closest<HTMLElement>('[data-opener]')
  const opener = (menu && document.getElementById(menu.dataset.opener ?? '')) ?? focused
  return { opener, scope: opener.closest('.card, main'), caret: caretOf(opener) }
}

/**
 * Puts the caret where it was. When a dialog closes and is taken off the page at once, the browser gives the field the
 * focus and leaves its caret behind: nothing could be typed.
 */
function caretOf(field: HTMLElement): (() => void) | null {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return null
  const { selectionStart: start, selectionEnd: end } = field
  if (start !== null) return () => field.setSelectionRange(start, end)
  // Of an address the place of the caret is not told.
  return () => {
    field.blur()
    field.focus({ preventScroll: true })
  }
}

/** To the opener; where that is gone, to the search or the first control of what it stood in. Takes it from nobody. */
export function restoreFocus({ opener, scope, caret }: Place): void {
  if (opener === document.activeElement) caret?.()
  if (!isLost()) return
  if (opener.isConnected) opener.focus({ preventScroll: true })
  if (isLost() && scope) focusOn(scope)
}

/** Whatever had the focus has left the page. */
export const isLost = (): boolean =>
  (document.activeElement === null || document.activeElement === document.body) &&
  !document.querySelector('dialog[open]')

export function focusOn(scope: ParentNode): void {
  const target =
    scope.querySelector<HTMLElement>('input[type=search]') ?? scope.querySelector<HTMLElement>(CONTROL)
  target?.focus({ preventScroll: true })
}

export function focusHeading(): void {
  const heading = document.querySelector('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

const CONTROL = ':is(a[href], button, input, select, textarea):not(:disabled, [type=hidden])'
