import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { useFieldControl, useFieldMark } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import { FieldMark } from '../base/Input.tsx'

export type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  large?: boolean
  showLabel: string
  hideLabel: string
}

/** Supports show, paste and password managers: set `autoComplete`. */
export function PasswordInput({ large, showLabel, hideLabel, className, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const mark = useFieldMark()
  const wired = useFieldControl(rest)
  const names = ['input', large && 'input--lg', className].filter(Boolean).join(' ')
  return (
    <span className={`affix${mark ? ' affix--2' : ''}`}>
      <input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        {...wired}
        type={shown ? 'text' : 'password'}
        className={names}
      />
      <span className="affix__end">
        <FieldMark mark={mark} />
        <button
          type="button"
          className="affix__btn"
          aria-label={shown ? hideLabel : showLabel}
          aria-controls={wired.id}
          disabled={rest.disabled}
          onClick={() => setShown(!shown)}
        >
          <Icon of={shown ? EyeOff : Eye} />
        </button>
      </span>
    </span>
  )
}
