import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { TextSpan } from '../base/TextSpan.tsx'
import './choice.css'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** Shown beside the box. Without it, set aria-label. */
  label?: ReactNode
  help?: ReactNode
  /** Indeterminate: some of the represented items are selected. */
  mixed?: boolean
}

export function Checkbox({ label, help, mixed = false, className, ref, ...rest }: CheckboxProps) {
  const wired = useFieldControl(rest)
  // `indeterminate` has no attribute, so set it on every render.
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

/** Render several with the same `name` in a FieldSet. */
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
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as `box`
    <label className="choice">
      {box}
      <span className={disabled ? 'ink3' : undefined}>
        <TextSpan>{label}</TextSpan>
        {help && <small className="choice__help">{help}</small>}
      </span>
    </label>
  )
}
