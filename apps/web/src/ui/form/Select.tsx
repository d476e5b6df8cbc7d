import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import './select.css'

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

export type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'size'> & {
  options: readonly Option[]
  /** Shown while nothing is selected; not selectable. */
  placeholder?: string
  large?: boolean
  start?: ReactNode
}

/** A native select: best on phones, with type-ahead and accessibility. */
export function Select({ options, placeholder, large, start, className, ...rest }: SelectProps) {
  const wired = useFieldControl(rest)
  const names = ['select', large && 'input--lg', className].filter(Boolean).join(' ')
  return (
    <span className={start ? 'picker picker--start' : 'picker'}>
      {start && <span className="affix__start">{start}</span>}
      <select {...rest} {...wired} className={names}>
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map(option => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} className="picker__mark" />
    </span>
  )
}
