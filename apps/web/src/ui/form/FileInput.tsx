import type { ComponentProps } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import './file-input.css'

export type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'value' | 'onChange'> & {
  onChange: (files: File[]) => void
  large?: boolean
}

/** The native file input, which also accepts dropped files. Its texts are in the browser's language. */
export function FileInput({ onChange, large, className, ...rest }: FileInputProps) {
  const wired = useFieldControl(rest)
  return (
    <input
      {...rest}
      {...wired}
      type="file"
      className={['input file', large && 'input--lg', className].filter(Boolean).join(' ')}
      onChange={event => onChange([...(event.target.files ?? [])])}
    />
  )
}
