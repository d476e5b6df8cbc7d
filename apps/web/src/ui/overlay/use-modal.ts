import { type MouseEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { focusHeading, isLost, restoreFocus, saveFocus } from '../base/restore-focus.ts'

const FIELD = ':is(input:not([type=hidden]), select, textarea):not(:disabled)'
const FIELD_TO_CHANGE = `${FIELD}:not([readonly])`

interface Wishes {
  open: boolean
  onClose: () => void
  /** While something runs that must not be left half done. */
  locked?: boolean
  /** A press outside does not close it. */
  stays?: boolean
  /** The page's heading gets the focus when nobody is left to give it back to, or had it before. */
  orHeading?: boolean
}

/**
 * Ties a native dialog to a boolean. The browser then traps the focus, makes the page behind inert, closes on
 * Escape and gives the focus back to where it was.
 */
export function useModal({ open, onClose, locked, stays, orHeading }: Wishes) {
  const ref = useRef<HTMLDialogElement>(null)

  // showModal and close are calls, not attributes; before the paint, so that the page never shows half of it.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    const before = saveFocus()
    if (!dialog.open) dialog.showModal()
    // The browser would take the cross; whoever opens a form wants its first field, one that can be changed if any.
    const fields = [FIELD_TO_CHANGE, FIELD].map(one => dialog.querySelector<HTMLElement>(one))
    fields.find(Boolean)?.focus()
    const release = lockScroll()
    return () => {
      dialog.close()
      release()
      // After the page has changed with it, and only where the browser found nobody to give the focus to.
      queueMicrotask(() => {
        if (before) restoreFocus(before)
        if (orHeading && isLost()) focusHeading()
      })
    }
  }, [open, orHeading])

  return {
    ref,
    onCancel(event: SyntheticEvent<HTMLDialogElement>) {
      // A file picker inside also says cancel; only the dialog's own counts.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      if (!locked) onClose()
    },
    /** A browser closes at the second Escape in a row, whatever the first one was answered: then it opens again. */
    onClose(event: SyntheticEvent<HTMLDialogElement>) {
      const dialog = ref.current
      if (event.target === dialog && open && !dialog.open) dialog.showModal()
    },
    onMouseDown(event: MouseEvent<HTMLDialogElement>) {
      const outside = event.target === event.currentTarget && !within(event)
      if (outside && !locked && !stays) onClose()
    },
  }
}

// The backdrop belongs to the dialog, so a press on it has the dialog as its target; only the place tells.
function within(event: MouseEvent<HTMLDialogElement>): boolean {
  const box = event.currentTarget.getBoundingClientRect()
  const across = event.clientX >= box.left && event.clientX <= box.right
  return across && event.clientY >= box.top && event.clientY <= box.bottom
}

let locks = 0

/** One dialog may open another: the page scrolls again when the last is gone. */
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
