import { type MouseEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { focusHeading, isLost, restoreFocus, saveFocus } from '../base/restore-focus.ts'

const FIELD = ':is(input:not([type=hidden]), select, textarea):not(:disabled)'
const FIELD_TO_CHANGE = `${FIELD}:not([readonly])`

interface ModalOptions {
  open: boolean
  onClose: () => void
  /** Prevents closing while an action runs. */
  locked?: boolean
  /** A click outside does not close it. */
  stays?: boolean
  /** Focuses the page's heading on close if no element had the focus before or it was removed. */
  orHeading?: boolean
}

/**
 * Opens and closes a native dialog. The browser traps the focus, makes the page inert, closes on Escape and
 * restores the focus.
 */
export function useModal({ open, onClose, locked, stays, orHeading }: ModalOptions) {
  const ref = useRef<HTMLDialogElement>(null)

  // A layout effect, so that the dialog opens before the next paint.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const before = saveFocus()
    if (!dialog.open) dialog.showModal()
    // Focus the first editable field; the browser would focus the close button.
    const fields = [FIELD_TO_CHANGE, FIELD].map(one => dialog.querySelector<HTMLElement>(one))
    fields.find(Boolean)?.focus()
    const release = lockScroll()
    return () => {
      dialog.close()
      release()
      // After the page has updated, and only if the browser could not restore the focus.
      queueMicrotask(() => {
        if (before) restoreFocus(before)
        if (orHeading && isLost()) focusHeading()
      })
    }
  }, [open, orHeading])

  return {
    ref,
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      // A file input inside the dialog also sends cancel.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      if (!locked) onClose()
    },
    /**
     * Browsers close a dialog on the second Escape in a row, even if the first was prevented: open it again.
     */
    onClose(event: SyntheticEvent<HTMLDialogElement>) {
      const dialog = ref.current
      if (event.target === dialog && open && !dialog.open) dialog.showModal()
    },
    onMouseDown(event: MouseEvent<HTMLDialogElement>) {
      const outside = event.target === event.currentTarget && !isInside(event)
      if (outside && !locked && !stays) onClose()
    },
  }
}

// A click on the backdrop has the dialog as its target, so compare positions.
function isInside(event: MouseEvent<HTMLDialogElement>): boolean {
  const box = event.currentTarget.getBoundingClientRect()
  const across = event.clientX >= box.left && event.clientX <= box.right
  return across && event.clientY >= box.top && event.clientY <= box.bottom
}

let locks = 0

/** Dialogs can be nested: the page scrolls again after the last one closes. */
function lockScroll(): () => void {
  const { classList, clientWidth } = document.documentElement
  if (locks === 0) classList.toggle('locked--gutter', window.innerWidth > clientWidth)
  classList.add('locked')
  locks += 1
  return () => {
    locks -= 1
    if (locks === 0) classList.remove('locked', 'locked--gutter')
  }
}
