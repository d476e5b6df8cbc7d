import type { ComponentProps } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import './file-input.css'

export type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'value' | 'onChange'> & {
  onChange: (files: File[]) => void
  large?: boolean
}

/** The browser's own picker, which also takes what is dropped on it; its words are the browser's, in its language. */
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
