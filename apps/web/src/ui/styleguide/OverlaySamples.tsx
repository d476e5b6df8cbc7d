import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Button } from '../base/Button.tsx'
import { Field } from '../base/Field.tsx'
import { Input } from '../base/Input.tsx'
import { Tabs } from '../layout/Tabs.tsx'
import { ConfirmDialog } from '../overlay/ConfirmDialog.tsx'
import { Dialog } from '../overlay/Dialog.tsx'
import { Drawer } from '../overlay/Drawer.tsx'
import { LoadingOverlay } from '../overlay/LoadingOverlay.tsx'
import { Menu } from '../overlay/Menu.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { toast } from '../overlay/toast.ts'
import { PaletteSample } from './PaletteSample.tsx'
import { Spec } from './Spec.tsx'

const ENTRIES = [
  { key: 'edit', label: 'Edit', icon: Pencil, onSelect: () => {} },
  { key: 'mail', label: 'Contact', icon: Mail, onSelect: () => {} },
  { key: 'reset', label: 'Reset password', icon: KeyRound, onSelect: () => {} },
  { key: 'rule', separator: true as const },
  { key: 'delete', label: 'Delete', icon: Trash2, danger: true, onSelect: () => {} },
]

export function OverlaySamples() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'drawer' | null>(null)
  const [tab, setTab] = useState('plan')
  const [covered, setCovered] = useState(false)
  const close = () => setOpen(null)
  function cover() {
    setCovered(true)
    setTimeout(() => setCovered(false), 1500)
  }
  return (
    <>
      <Spec title="Menu, dialog, drawer, palette, tooltip">
        <div className="row">
          <Menu label="Actions" entries={ENTRIES} align="start" trigger={<Button>Menu</Button>} />
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('confirm')}>Confirm</Button>
          <Button onClick={() => setOpen('drawer')}>Drawer</Button>
          <PaletteSample />
          <Button onClick={cover}>Loading overlay</Button>
          <Tooltip text="Opens the dashboard">
            <Button>Tooltip</Button>
          </Tooltip>
        </div>
        {covered && <LoadingOverlay label="Loading" />}
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          onSubmit={close}
          title="Invite a user"
          description="They get an email with a link."
          closeLabel="Close"
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" variant="primary">
                Send invite
              </Button>
            </>
          }
        >
          <Field label="Email">
            <Input type="email" />
          </Field>
          <Menu label="Actions" entries={ENTRIES} align="start" trigger={<Button>Menu in dialog</Button>} />
          <Button onClick={() => toast({ title: 'Over the dialog' })}>Toast</Button>
        </Dialog>
        <ConfirmDialog
          open={open === 'confirm'}
          onClose={close}
          onConfirm={close}
          danger
          title="Delete 2 users?"
          description="They are signed out at once and lose access. This can’t be undone."
          confirmLabel="Delete 2 users"
          cancelLabel="Cancel"
        />
        <Drawer open={open === 'drawer'} onClose={close} label="Menu" closeLabel="Close">
          <a href="#dashboard" aria-current="page">
            Dashboard
          </a>
        </Drawer>
      </Spec>
      <Spec title="Toasts, tabs">
        <div className="row">
          <Button onClick={() => toast({ title: 'Copied', description: 'The key is on your clipboard.' })}>
            Default
          </Button>
          <Button
            onClick={() =>
              toast({ variant: 'success', title: 'Profile saved', description: 'Your new name is live.' })
            }
          >
            Success
          </Button>
          <Button
            onClick={() =>
              toast({
                variant: 'info',
                title: '2 invites sent',
                description: 'They hold a seat for 7 days.',
                action: { label: 'Undo', onSelect: () => {} },
              })
            }
          >
            Info
          </Button>
          <Button
            onClick={() =>
              toast({ variant: 'error', title: 'Something went wrong', description: 'Please try again.' })
            }
          >
            Error
          </Button>
        </div>
        <Tabs
          label="Billing"
          value={tab}
          onChange={setTab}
          items={[
            { value: 'plan', label: 'Plan', content: 'The plan.' },
            { value: 'card', label: 'Card', content: 'The card.' },
            { value: 'invoices', label: 'Invoices', content: 'The invoices.' },
          ]}
        />
      </Spec>
    </>
  )
}
