import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/base/Button.tsx'
import type { ButtonVariant } from '../../ui/base/button-class.ts'
import { toast } from '../../ui/overlay/toast.ts'
import type { Answer } from '../api/client.ts'
import { ApiError, CardRefused } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'
import { navigate } from '../navigate.ts'
import type { CardAdapter } from './card-adapter.ts'
import { changedOf, startOf, useStart } from './changes.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'
import { FormField, type Values } from './FormField.tsx'
import { announceParts, filledUnnoticed } from './filled.ts'
import { proofFor } from './proof-for.ts'
import { Restored } from './Restored.tsx'
import { createSender } from './submit.ts'
import type { Input } from './types.ts'

/** Any call of `api` with a body. Wrap it to add params: `call={input => api.x.y({ ...input, params })}`. */
export type FormCall<B, R> = (input: { body: B; key?: string }) => Promise<Answer<R>>

export type FormProps<B, R> = {
  /** The fields in display order, named like the body's fields. */
  inputs: { [K in keyof B & string]?: Input }
  call: FormCall<B, R>
  /** Without it the form renders no button: add `<Button type="submit" form={id}>`. */
  buttonText?: string
  /** `secondary` if the page has another primary button. */
  variant?: ButtonVariant
  id?: string
  /** Sent with the fields. */
  extra?: Partial<B>
  /** Runs after a successful call; the form stays busy until a returned promise settles. */
  callback?: (data: R, values: Values) => unknown
  /** Path to open after the callback. */
  redirect?: string
  /** Returns true if it handled the failure. Otherwise the failure goes to its field or to handleFailure. */
  onError?: (error: ApiError) => boolean
  onBusy?: (busy: boolean) => void
  onChange?: (values: Values) => void
  /** Stores unsent values in sessionStorage under this name. A cancel button must call `dropDraft`. */
  keep?: string
  /**
   * When given, only changed fields are sent, so that the form does not overwrite fields that were changed
   * elsewhere. Called instead of `callback` when no field was changed.
   */
  unchanged?: () => unknown
  /** For auth pages: fields are 40 pixels high and the button has the full width. */
  large?: boolean
  /** Shown beside the button. */
  actions?: ReactNode
  /** Shown between the fields and the button. */
  children?: ReactNode
}

/**
 * Renders and sends a form: validates the fields, focuses the first error, shows the server's refusal at its
 * field, prevents double submits and keeps typed values. When a call requires a step-up, a field for the
 * password or the code appears, and the next submit repeats the call with it.
 */
export function Form<B extends object, R>(props: FormProps<B, R>) {
  const {
    call,
    buttonText,
    extra,
    callback,
    redirect,
    onError,
    onBusy,
    onChange,
    keep,
    unchanged,
    large = false,
  } = props
  const ownInputs = props.inputs as Record<string, Input> // as: the same fields; only callers need their exact names
  const [proof, setProof] = useState<Record<string, Input> | null>(null)
  const inputs = proof ? { ...ownInputs, ...proof } : ownInputs
  const ownId = useId()
  const adapter = useRef<CardAdapter | null>(null)
  const latestCall = useRef(call)
  latestCall.current = call
  const [submit] = useState(() =>
    createSender(input => latestCall.current(input as { body: B; key: string })),
  ) // as: the fields make up the body, and the server validates it
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const [draft, setDraft] = useState(() => (keep ? readDraft(keep, inputs) : {}))
  const form = useForm<Values>({
    mode: 'onChange',
    reValidateMode: 'onChange',
    defaultValues: { ...startOf(inputs), ...draft },
  })
  const start = useStart(form, inputs)

  // The form library reports changes only to subscribers.
  const watched = useRef({ inputs, onChange })
  watched.current = { inputs, onChange }
  useEffect(() => {
    const subscription = form.watch(values => {
      if (keep) keepDraft(keep, changedOf(watched.current.inputs, start.current, values), values)
      watched.current.onChange?.(values)
    })
    return () => subscription.unsubscribe()
  }, [form, keep, start])

  function applyAutofill(element: HTMLFormElement, except?: EventTarget): void {
    announceParts(element, form.getValues(), except)
    for (const [name, value] of filledUnnoticed(element, form.getValues(), except))
      form.setValue(name, value, { shouldDirty: true, shouldValidate: true })
  }

  function discard(): void {
    setDraft({})
    for (const [name, value] of Object.entries(start.current)) form.setValue(name, value)
    form.clearErrors()
    form.setFocus(Object.keys(ownInputs)[0] ?? '')
  }

  function markBusy(on: boolean): void {
    // Synchronously: a field can be focused only after it is enabled again.
    flushSync(() => setBusy(on))
    onBusy?.(on)
  }

  async function send(values: Values): Promise<void> {
    const focused = document.activeElement
    const changed = changedOf(ownInputs, start.current, values)
    markBusy(true)
    try {
      if (unchanged && !Object.keys(changed).length) {
        await unchanged()
        return finishSubmit()
      }
      const fields = unchanged ? { ...changed, ...proof } : inputs
      const answer = await submit(values, fields, (extra ?? {}) as Values, adapter.current) // as: a partial body is a record
      if (keep) dropDraft(keep)
      setDraft({})
      start.current = { ...start.current, ...values }
      if (answer.message) toast({ variant: 'success', title: answer.message })
      await callback?.(answer.data as R, values) // as: the call's own reply
      finishSubmit()
    } catch (error) {
      const proofFields = await proofFor(error)
      const missing = Object.keys(proofFields ?? {}).find(name => !Object.hasOwn(inputs, name))
      if (missing) setProof(proofFields)
      markBusy(false)
      if (missing) return form.setFocus(missing)
      // Disabling the fields removed the focus: restore it unless the failure focuses a field.
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
      showFailure(error)
    }
  }

  /** A proof is valid for one call, so its field is removed. */
  function finishSubmit(): void {
    for (const name of Object.keys(proof ?? {})) form.unregister(name)
    setProof(null)
    markBusy(false)
    if (redirect) navigate(redirect)
  }

  function showFailure(error: unknown): void {
    if (error instanceof ApiError && onError?.(error)) return
    const message = error instanceof Error ? error.message : ''
    const field = fieldOf(error, inputs)
    if (field && inputs[field]?.once) form.setValue(field, '')
    if (field && message) form.setError(field, { type: 'server', message }, { shouldFocus: true })
    else handleFailure(error)
  }

  return (
    <form
      id={props.id ?? ownId}
      className="stack"
      noValidate
      aria-busy={busy || undefined}
      // Capture phase: the form takes autofilled values before React renders its fields again.
      onBlurCapture={event => applyAutofill(event.currentTarget)}
      onChangeCapture={event => applyAutofill(event.currentTarget, event.target)}
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        // A ref, because a second submit can arrive before the next render.
        if (sending.current) return
        sending.current = true
        applyAutofill(event.currentTarget)
        form
          .handleSubmit(send)(event)
          .finally(() => {
            sending.current = false
          })
      }}
    >
      <fieldset className="stack data-busy:opacity-60" disabled={busy} data-busy={busy || undefined}>
        {Object.keys(draft).length > 0 && <Restored onDiscard={discard} />}
        {linesOf(inputs).map(line => {
          const fields = line.map(([name, input]) => (
            <FormField
              key={name}
              name={name}
              input={input}
              sending={() => sending.current}
              dependents={dependentsOf(name, inputs)}
              control={form.control}
              trigger={form.trigger}
              disabled={busy}
              large={large}
              onAdapter={next => {
                adapter.current = next
              }}
            />
          ))
          return line.length === 1 ? (
            fields
          ) : (
            <div key={line[0]?.[0]} className="grid-2 gap-3">
              {fields}
            </div>
          )
        })}
        {props.children}
      </fieldset>
      {buttonText && (
        <div className={large ? 'stack' : 'row'}>
          <Button
            type="submit"
            variant={props.variant ?? 'primary'}
            size={large ? 'lg' : 'md'}
            block={large}
            loading={busy}
          >
            {buttonText}
          </Button>
          {props.actions}
        </div>
      )}
    </form>
  )
}

const dependentsOf = (name: string, inputs: Record<string, Input>) =>
  Object.keys(inputs).filter(other => inputs[other]?.rules.matches === name)

/** The field of a failure: the field that the server names, or the card field when the card was refused. */
function fieldOf(error: unknown, inputs: Record<string, Input>): string | undefined {
  if (error instanceof CardRefused) return Object.keys(inputs).find(name => inputs[name]?.card)
  if (!(error instanceof ApiError) || !error.inputError) return undefined
  return Object.hasOwn(inputs, error.inputError) ? error.inputError : undefined
}

type Line = Array<[name: string, input: Input]>

/** Two consecutive fields with `half` share a line. */
function linesOf(inputs: Record<string, Input>): Line[] {
  const lines: Line[] = []
  for (const entry of Object.entries(inputs)) {
    const last = lines.at(-1)
    const joins = entry[1].half && last?.length === 1 && last[0]?.[1].half
    if (joins) last.push(entry)
    else lines.push([entry])
  }
  return lines
}
