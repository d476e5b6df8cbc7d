import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { TextSpan } from '../base/TextSpan.tsx'
import './choice.css'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** Beside the box. Without it, give aria-label. */
  label?: ReactNode
  help?: ReactNode
  /** Some of what it stands for, not all. */
  mixed?: boolean
}

export function Checkbox({ label, help, mixed = false, className, ref, ...rest }: CheckboxProps) {
  const wired = useFieldControl(rest)
  // Only script can set this state of a checkbox, and it has to follow every render.
  const box = (
    <input
      {...rest}
      {...wired}
      type="checkbox"
      className={className ? `check ${className}` : 'check'}
      ref={node => {
        if (node) node.indeterminate = mixed
        if (typeof ref === 'function') return ref(node)
        if (ref) ref.current = node
      }}
    />
  )
  return label ? <Choice box={box} label={label} help={help} disabled={rest.disabled} /> : box
}

export type RadioProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  label: ReactNode
  help?: ReactNode
}

/** Put several with one `name` in a FieldSet. */
export function Radio({ label, help, className, ...rest }: RadioProps) {
  const box = <input {...rest} type="radio" className={className ? `radio ${className}` : 'radio'} />
  return <Choice box={box} label={label} help={help} disabled={rest.disabled} />
}

interface ChoiceProps {
  box: ReactNode
  label: ReactNode
  help?: ReactNode
  disabled?: boolean
}

function Choice({ box, label, help, disabled }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the box handed in
    <label className="choice">
      {box}
      <span className={disabled ? 'ink3' : undefined}>
        <TextSpan>{label}</TextSpan>
        {help && <small className="choice__help">{help}</small>}
      </span>
    </label>
  )
}
