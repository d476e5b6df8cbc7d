import { type ReactNode, useId } from 'react'
import { FieldNote } from '../base/Field.tsx'

interface Props {
  legend: ReactNode
  hideLegend?: boolean
  help?: ReactNode
  error?: ReactNode
  className?: string
  children: ReactNode
}

/** A Field for a group of controls: radio buttons, checkboxes. */
export function FieldSet({ legend, hideLegend, help, error, className, children }: Props) {
  const noteId = useId()
  return (
    <fieldset
      className={className ? `field ${className}` : 'field'}
      aria-describedby={error || help ? noteId : undefined}
      aria-invalid={error ? true : undefined}
    >
      <legend className={hideLegend ? 'sr' : 'label'}>{legend}</legend>
      {children}
      <FieldNote id={noteId} help={help} error={error} />
    </fieldset>
  )
}
