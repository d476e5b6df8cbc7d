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
  /** In a right-to-left language the sides change places. */
  side?: 'right' | 'left'
  /** At the start of its top line; the cross is at the end. */
  head?: ReactNode
  children: ReactNode
}

/** At most 60 units wide, over the page, closed by Escape, the cross or a press outside. */
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
