import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import type { ComponentProps, ReactNode } from 'react'
import { useFieldControl, useFieldMark } from './field-context.ts'
import { Icon } from './Icon.tsx'

export type InputProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  type?: 'text' | 'email' | 'number' | 'phone' | 'url' | 'search'
  /** 40 high, for the auth card. */
  large?: boolean
  /** A lighter edge, for a search field whose icon already names it. */
  quiet?: boolean
  start?: ReactNode
  end?: ReactNode
}

// Keyboards of the right kind; a number stays text so that a wheel or a letter never changes it unseen.
const NATIVE = {
  // Names are written in any script, and begin where theirs begins.
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

/** Colour never speaks alone: the error's words are below, and a check without words is decoration. */
export function FieldMark({ mark }: { mark: 'good' | 'bad' | undefined }) {
  if (!mark) return null
  return mark === 'good' ? <Icon of={Check} className="ok" /> : <Icon of={X} className="bad" />
}
