import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl, useFieldMark } from './field-context.ts'
import { Icon } from './Icon.tsx'

export type InputProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  type?: 'text' | 'email' | 'number' | 'phone' | 'url' | 'search'
  /** 40 pixels high, for auth pages. */
  large?: boolean
  /** A lighter border, for search fields with an icon. */
  quiet?: boolean
  start?: ReactNode
  end?: ReactNode
}

// Select the matching on-screen keyboard. A number is a text field, because scrolling can change a native
// number field.
const NATIVE = {
  // Names can be in any script, so the direction follows the text.
  text: { dir: 'auto' },
  search: { type: 'search', inputMode: 'search' },
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false, dir: 'auto' },
  number: { inputMode: 'decimal' },
  phone: { type: 'tel', inputMode: 'tel', dir: 'ltr' },
  url: { inputMode: 'url', autoCapitalize: 'none', spellCheck: false, dir: 'ltr' },
} as const

export function Input({ type = 'text', large, quiet, start, end, className, ...rest }: InputProps) {
  const mark = useFieldMark()
  const wired = useFieldControl(rest)
  const names = ['input', large && 'input--lg', quiet && 'input--quiet', className].filter(Boolean).join(' ')
  const both = Boolean(mark && end)
  return (
    <span className={`affix${start ? ' affix--start' : ''}${both ? ' affix--2' : ''}`}>
      {start && <span className="affix__start">{start}</span>}
      <input type="text" {...NATIVE[type]} {...rest} {...wired} className={names} />
      <span className="affix__end">
        <FieldMark mark={mark} />
        {end}
      </span>
    </span>
  )
}

/** Icons only repeat the error text below the field. */
export function FieldMark({ mark }: { mark: 'good' | 'bad' | undefined }) {
  if (!mark) return null
  return mark === 'good' ? <Icon of={Check} className="ok" /> : <Icon of={X} className="bad" />
}
