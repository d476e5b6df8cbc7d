import { type ReactNode, useId } from 'react'
import { FieldContext } from './field-context.ts'

export interface FieldProps {
  label: ReactNode
  /** Stays while there is no error. */
  help?: ReactNode
  /** Takes the help's place and is announced. */
  error?: ReactNode
  /** Touched and good: shows the check. */
  valid?: boolean
  required?: boolean
  /** At the end of the label's line: a link, a counter. */
  aside?: ReactNode
  /** Says it aloud but does not draw it. */
  hideLabel?: boolean
  id?: string
  className?: string
  children: ReactNode
}

/** Label above, help or error below; the one control inside wires itself to them. */
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
      {/* Drawn beside the label. It comes after the control, so that Tab leads from field to field. */}
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
