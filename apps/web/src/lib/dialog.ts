import type { ReactNode } from 'react'
import type { FormCall } from './form/Form.tsx'
import type { Input } from './form/types.ts'
import { createStore } from './store.ts'

/**
 * State of the app's confirmation dialog. With `form`, its values are sent as the body of `call`; without,
 * the body is empty.
 */
export type DialogState = {
  open: boolean
  title: string
  description: ReactNode
  buttonText: string
  /** Label of the cancel button; null = "Cancel". */
  cancelText: string | null
  /** A destructive action: shows a red button and an alert dialog. */
  danger: boolean
  // biome-ignore lint/suspicious/noExplicitAny: the dialog passes the body and the answer on and reads neither
  call: FormCall<any, any> | null
  form: Record<string, Input> | null
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what its call answers
  callback: ((data: any, values: Record<string, unknown>) => unknown) | null
}

const closed: DialogState = {
  open: false,
  title: '',
  description: '',
  buttonText: '',
  cancelText: null,
  danger: false,
  call: null,
  form: null,
  callback: null,
}

export const dialog = createStore<DialogState>(closed)

/**
 * Opens the dialog. `callback` runs after the user confirms and the call, if any, succeeds; never on cancel.
 */
export function openDialog(
  state: Partial<Omit<DialogState, 'open'>> & { title: string; buttonText: string },
): void {
  dialog.set({ ...closed, ...state, open: true })
}

export const closeDialog = (): void => dialog.set(closed)

/**
 * Changes fields of the open dialog: `updateDialogForm({ password: password({ … }) })`; null removes a field.
 */
export function updateDialogForm(change: Record<string, Input | null>): void {
  dialog.set(now => {
    if (!now.open) return now
    const merged = Object.entries({ ...now.form, ...change })
    const form = Object.fromEntries(merged.filter((entry): entry is [string, Input] => entry[1] !== null))
    return { ...now, form }
  })
}
