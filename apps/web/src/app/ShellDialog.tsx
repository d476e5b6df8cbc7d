import { useId, useState } from 'react'
import { handleFailure } from '../lib/api/failure.ts'
import { closeDialog, dialog, updateDialogForm } from '../lib/dialog.ts'
import { Form } from '../lib/form/Form.tsx'
import { proofFor } from '../lib/form/proof-for.ts'
import { useT } from '../lib/i18n/translate.ts'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/base/Button.tsx'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/toast.ts'

/** Renders the confirmation dialog that `openDialog` requests. */
export function ShellDialog() {
  return useStore(dialog).form ? <FormDialog /> : <CallDialog />
}

function CallDialog() {
  const t = useT()
  const { open, title, description, buttonText, danger, call, callback } = useStore(dialog)
  const [busy, setBusy] = useState(false)

  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      const answer = call ? await call({ body: {} }) : undefined
      if (answer?.message) toast({ variant: 'success', title: answer.message })
      await callback?.(answer?.data, {})
      closeDialog()
    } catch (error) {
      const proof = await proofFor(error)
      // Keeps the dialog open with a field for the proof and repeats the call with its value.
      if (proof) return updateDialogForm(proof)
      closeDialog()
      handleFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <ConfirmDialog
      open={open}
      onClose={closeDialog}
      onConfirm={confirm}
      title={title}
      description={description || undefined}
      confirmLabel={buttonText}
      cancelLabel={t('global.cancel')}
      busy={busy}
      danger={danger}
    />
  )
}

function FormDialog() {
  const t = useT()
  const { open, title, description, buttonText, cancelText, danger, call, callback, form } = useStore(dialog)
  const id = useId()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title={title}
      description={description || undefined}
      locked={busy}
      alert={danger}
      footer={
        <>
          <Button onClick={closeDialog} disabled={busy}>
            {cancelText ?? t('global.cancel')}
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} loading={busy}>
            {buttonText}
          </Button>
        </>
      }
    >
      <Form
        id={id}
        inputs={form ?? {}}
        call={call ?? noCall}
        onBusy={setBusy}
        callback={async (data, values) => {
          await callback?.(data, values)
          closeDialog()
        }}
      />
    </Dialog>
  )
}

/** For dialogs without a call: the callback does the work. */
const noCall = async () => ({ data: undefined, message: undefined })
