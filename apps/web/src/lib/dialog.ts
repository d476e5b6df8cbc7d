import type { ReactNode } from 'react'
import type { FormCall } from './form/Form.tsx'
import type { Input } from './form/types.ts'
import { createStore } from './store.ts'

/**
 * The shell's confirmation dialog. `call` stands for the specification's method and url: a call of `api` knows both.
 * With `form`, its fields are asked for and sent as the body; without, the call is made with an empty body.
 */
export type DialogState = {
  open: boolean
  title: string
  description: ReactNode
  buttonText: string
  /** The other button; null says "Cancel". */
  cancelText: string | null
  /** A destructive question: the button is red and must be answered. */
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

/** Asks; `callback` runs when the visitor confirms and the call, if any, has succeeded. Never on cancel. */
export function openDialog(
  state: Partial<Omit<DialogState, 'open'>> & { title: string; buttonText: string },
): void {
  dialog.set({ ...closed, ...state, open: true })
}

/** Closes and resets everything. */
export const closeDialog = (): void => dialog.set(closed)

/** Changes fields of the open dialog in place: `updateDialogForm({ password: password({ … }) })`; null removes one. */
export function updateDialogForm(change: Record<string, Input | null>): void {
  dialog.set(now => {
    if (!now.open) return now
    const merged = Object.entries({ ...now.form, ...change })
    const form = Object.fromEntries(merged.filter((entry): entry is [string, Input] => entry[1] !== null))
    return { ...now, form }
  })
}
