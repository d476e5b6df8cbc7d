import { type ReactNode, useId } from 'react'
import { FieldContext } from './field-context.ts'

export interface FieldProps {
  label: ReactNode
  /** Shown while there is no error. */
  help?: ReactNode
  /** Replaces the help and is announced. */
  error?: ReactNode
  /** Shows a check; set it after the field was touched. */
  valid?: boolean
  required?: boolean
  /** A link or a counter at the end of the label's line. */
  aside?: ReactNode
  /** Only screen readers get the label. */
  hideLabel?: boolean
  id?: string
  className?: string
  children: ReactNode
}

/** Shows the label above, help or error below, and links them to the control inside. */
export function Field(props: FieldProps) {
  const { label, help, error, valid = false, required = false, aside, hideLabel, className, children } = props
  const generated = useId()
  const id = props.id ?? generated
  const noteId = `${id}-note`
  const describedBy = error || help ? noteId : undefined
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label className={hideLabel ? 'sr' : 'label'} htmlFor={id}>
        {label}
      </label>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error), valid, required }}>
        {children}
      </FieldContext>
      {/* Shown beside the label, but placed after the control so that Tab moves from field to field. */}
      {aside && <div className="field__aside">{aside}</div>}
      <FieldNote id={noteId} help={help} error={error} />
    </div>
  )
}

export function FieldNote({ id, help, error }: { id: string; help?: ReactNode; error?: ReactNode }) {
  if (error) {
    return (
      <p className="error" id={id} role="alert">
        {error}
      </p>
    )
  }
  return help ? (
    <p className="help" id={id}>
      {help}
    </p>
  ) : null
}
