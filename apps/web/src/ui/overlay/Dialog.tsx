import X from 'lucide-react/icons/x'
import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../base/Icon.tsx'
import { PortalProvider } from './portal.ts'
import { useModal } from './use-modal.ts'
import './dialog.css'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** Buttons; the main one last. On a phone it comes on top. */
  footer?: ReactNode
  /** Draws a cross with this name at the end of the title. */
  closeLabel?: string
  wide?: boolean
  /** Neither Escape nor a press outside closes it meanwhile. */
  locked?: boolean
  /** A press outside leaves it open; Escape and the cross close it. */
  stays?: boolean
  /** The page's heading gets the focus when what opened it is gone. */
  orHeading?: boolean
  /** For a question that must be answered. */
  alert?: boolean
  /** Given, the whole dialog is a form: Enter submits. */
  onSubmit?: () => void
}

/** A modal dialog; a sheet from the bottom on a phone. Nothing inside is mounted while it is closed. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    children,
    footer,
    closeLabel,
    wide,
    locked,
    stays,
    orHeading,
    alert,
    onSubmit,
  } = props
  const { ref, ...modal } = useModal({ open, onClose, locked, stays, orHeading })
  const [element, setElement] = useState<HTMLDialogElement | null>(null)
  const id = useId()

  const body = (
    <>
      <div className="dialog__body">
        <div className="dialog__head">
          <div className="stack stack-1 grow">
            <h2 className="dialog__title" id={`${id}-title`}>
              {title}
            </h2>
            {description && (
              <div className="ink2" id={`${id}-text`}>
                {description}
              </div>
            )}
          </div>
          {closeLabel && (
            <button type="button" className="x" aria-label={closeLabel} disabled={locked} onClick={onClose}>
              <Icon of={X} />
            </button>
          )}
        </div>
        {children}
      </div>
      {footer && <div className="dialog__foot">{footer}</div>}
    </>
  )

  return (
    <dialog
      ref={node => {
        ref.current = node
        setElement(node)
      }}
      className={wide ? 'dialog dialog--wide' : 'dialog'}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-text` : undefined}
      {...modal}
    >
      <PortalProvider value={element}>
        {open &&
          (onSubmit ? (
            <form
              noValidate
              onSubmit={event => {
                event.preventDefault()
                // A form in a portal bubbles to the form it was opened from; that one was not sent.
                event.stopPropagation()
                if (!locked) onSubmit()
              }}
            >
              {body}
            </form>
          ) : (
            body
          ))}
      </PortalProvider>
    </dialog>
  )
}
