import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import { Icon } from '../base/Icon.tsx'
import { PortalProvider } from './portal.ts'
import { useModal } from './use-modal.ts'
import './dialog.css'
import './drawer.css'

export interface DrawerProps {
  open: boolean
  onClose: () => void
  label: string
  closeLabel: string
  /** Mirrored in right-to-left languages. */
  side?: 'right' | 'left'
  /** At the start of the top line; the close button is at its end. */
  head?: ReactNode
  children: ReactNode
}

/** A side panel over the page. Escape, the close button and a click outside close it. */
export function Drawer({ open, onClose, label, closeLabel, side = 'right', head, children }: DrawerProps) {
  const { ref, ...modal } = useModal({ open, onClose })
  const [element, setElement] = useState<HTMLDialogElement | null>(null)
  return (
    <dialog
      ref={node => {
        ref.current = node
        setElement(node)
      }}
      className={side === 'left' ? 'drawer drawer--start' : 'drawer'}
      aria-label={label}
      {...modal}
    >
      <PortalProvider value={element}>
        {open && (
          <>
            <div className="drawer__top">
              {head ?? <span />}
              <button type="button" className="hit" aria-label={closeLabel} onClick={onClose}>
                <Icon of={X} size={20} />
              </button>
            </div>
            {children}
          </>
        )}
      </PortalProvider>
    </dialog>
  )
}
