type SavedFocus = { opener: HTMLElement; scope: Element | null; caret: (() => void) | null }

/**
 * Saves the focused element before a dialog opens. For a menu entry, saves the menu's button, because the
 * entry disappears.
 */
export function saveFocus(): SavedFocus | null {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return null
  const menu = focused.closest<HTMLElement>('[data-opener]')
  const opener = (menu && document.getElementById(menu.dataset.opener ?? '')) ?? focused
  return { opener, scope: opener.closest('.card, main'), caret: caretRestorer(opener) }
}

/**
 * Returns a function that restores the caret. When a closing dialog is removed at once, the browser focuses
 * the field without a caret, and typing has no effect.
 */
function caretRestorer(field: HTMLElement): (() => void) | null {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return null
  const { selectionStart: start, selectionEnd: end } = field
  if (start !== null) return () => field.setSelectionRange(start, end)
  // Email fields do not report the caret's position.
  return () => {
    field.blur()
    field.focus({ preventScroll: true })
  }
}

/**
 * Focuses the opener, or, if it was removed, the search field or first control of its surroundings. Does
 * nothing if another element has the focus.
 */
export function restoreFocus({ opener, scope, caret }: SavedFocus): void {
  if (opener === document.activeElement) caret?.()
  if (!isLost()) return
  if (opener.isConnected) opener.focus({ preventScroll: true })
  if (isLost() && scope) focusOn(scope)
}

/** Whether no element has the focus, because the focused one was removed. */
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
