import type { ReactNode } from 'react'
import { Button } from '../base/Button.tsx'
import { Dialog } from './Dialog.tsx'

export interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  /** The dialog stays open and locked until the caller closes it. */
  onConfirm: () => void
  title: ReactNode
  description?: ReactNode
  /** Names of the items to delete, or form fields. */
  children?: ReactNode
  confirmLabel: string
  cancelLabel: string
  busyLabel?: string
  busy?: boolean
  danger?: boolean
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, onConfirm, title, description, children, busy, busyLabel, danger } = props
  return (
    <Dialog
      alert={danger}
      open={open}
      onClose={onClose}
      onSubmit={onConfirm}
      title={title}
      description={description}
      locked={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {props.cancelLabel}
          </Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            loading={busy}
            loadingLabel={busyLabel}
          >
            {props.confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
