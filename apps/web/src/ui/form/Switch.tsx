import type { ComponentProps } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import './choice.css'

export type SwitchProps = Omit<ComponentProps<'button'>, 'onChange' | 'type' | 'role' | 'value'> & {
  checked: boolean
  onChange: (checked: boolean) => void
  /** For plain form submits. */
  name?: string
}

/** Takes effect at once. Name it with a Field or aria-label. */
export function Switch({ checked, onChange, name, className, ...rest }: SwitchProps) {
  // A switch has always a value, so it cannot be required.
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
