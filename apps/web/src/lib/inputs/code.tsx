import type { Ref } from 'react'
import { CodeInput } from '../../ui/form/CodeInput.tsx'
import { type Common, commonOf, type Input, rulesOf } from '../form/types.ts'

/** A one-time code of six characters. */
export function code(
  options: Omit<Common, 'accept'> & {
    accept?: RegExp
    onComplete?: (value: string) => void
    autoFocus?: boolean
  },
): Input {
  const { accept, onComplete, autoFocus, ...common } = options
  return {
    ...commonOf(common),
    rules: { minLength: 6, maxLength: 6, ...rulesOf(common) },
    value: '',
    secret: true,
    once: true,
    render: control => (
      <CodeInput
        autoFocus={autoFocus}
        name={control.name}
        value={String(control.value ?? '')}
        onChange={control.onChange}
        onBlur={control.onBlur}
        disabled={control.disabled}
        ref={control.ref as Ref<HTMLInputElement>} // as: it is mounted on an input
        accept={accept}
        onComplete={onComplete}
      />
    ),
  }
}
