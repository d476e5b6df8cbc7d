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
  /** Buttons, the main one last; on phones it is on top. */
  footer?: ReactNode
  /** Label of a close button at the end of the title. */
  closeLabel?: string
  wide?: boolean
  /** Escape and a click outside do not close it. */
  locked?: boolean
  /** A click outside does not close it; Escape and the close button do. */
  stays?: boolean
  /** Focuses the page's heading on close if the opener was removed. */
  orHeading?: boolean
  /** For a question that needs an answer. */
  alert?: boolean
  /** Makes the dialog a form: Enter submits. */
  onSubmit?: () => void
}

/** A modal dialog; on phones a sheet from the bottom. Its content is mounted only while open. */
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
                // React events of a portal bubble to the form that opened it, which was not submitted.
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
