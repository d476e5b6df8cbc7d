import type { ComponentProps } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import './choice.css'

export type SwitchProps = Omit<ComponentProps<'button'>, 'onChange' | 'type' | 'role' | 'value'> & {
  checked: boolean
  onChange: (checked: boolean) => void
  /** For a plain form post. */
  name?: string
}

/** Acts at once, so it needs no save button. Name it by a Field or aria-label/aria-labelledby. */
export function Switch({ checked, onChange, name, className, ...rest }: SwitchProps) {
  // A switch is always on or off, so it cannot be required.
  const { 'aria-required': _, ...wired } = useFieldControl(rest)
  return (
    <>
      <button
        {...rest}
        {...wired}
        type="button"
        role="switch"
        aria-checked={checked}
        className={className ? `switch ${className}` : 'switch'}
        onClick={() => onChange(!checked)}
      />
      {name && <input type="hidden" name={name} value={String(checked)} />}
    </>
  )
}
