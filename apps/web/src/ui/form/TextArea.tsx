import type { ComponentProps } from 'react'
import { useFieldControl } from '../base/field-context.ts'

export type TextAreaProps = ComponentProps<'textarea'>

export function TextArea({ className, ...rest }: TextAreaProps) {
  const wired = useFieldControl(rest)
  return <textarea {...rest} {...wired} className={className ? `textarea ${className}` : 'textarea'} />
}
