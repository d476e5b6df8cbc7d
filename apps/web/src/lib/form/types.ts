import type { ReactNode, Ref } from 'react'
import type { CardAdapter } from './card-adapter.ts'

export type RuleName =
  | 'required'
  | 'min'
  | 'max'
  | 'between'
  | 'minLength'
  | 'maxLength'
  | 'email'
  | 'number'
  | 'phone'
  | 'url'
  | 'complex'
  | 'matches'
  | 'options'
  | 'fileType'
  | 'fileCount'
  | 'custom'

/** Validation rules of a field. `messages` overrides their default messages. */
export type Rules = {
  required?: boolean
  /** Limits of a number. */
  min?: number
  max?: number
  /** Limits of a text. */
  minLength?: number
  maxLength?: number
  format?: 'email' | 'number' | 'phone' | 'url'
  /** Requires at least one special character. */
  complex?: boolean
  /** Must equal the field of this name. */
  matches?: string
  /** This field is not validated when the field of this name is filled. */
  instead?: string
  /** Limits of the number of selected options. */
  minOptions?: number
  maxOptions?: number
  /** Allowed media types and number of files. */
  accept?: readonly string[]
  maxFiles?: number
  /** Custom rule: returns a message, or null when the value is valid. */
  check?: (value: unknown, values: Record<string, unknown>) => string | null
  messages?: Partial<Record<RuleName, string>>
}

/** Props of an input's control. Inside a Field, the Field provides its label, description and error. */
export type Control = {
  name: string
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  /** Ref of the element to focus when this field has the first error. */
  ref: Ref<HTMLElement>
  label: string
  help: ReactNode
  /** The error message, for controls that are not rendered inside a Field. */
  error: string | undefined
  disabled: boolean
  /** 40 pixels high, for auth pages. */
  large: boolean
  /** Card controls only: passes the adapter that creates the token. */
  onAdapter: (adapter: CardAdapter | null) => void
}

/** One field of a form. Create it with `text`, `email`, `password`, `select` and so on. */
export type Input = {
  label: string
  help?: ReactNode
  /** A link at the end of the label's line. */
  aside?: ReactNode
  /** Shares its line with the next field that has `half`. */
  half?: boolean
  rules: Rules
  /** The initial value. */
  value: unknown
  /** Shows a check or a cross after the field was touched. */
  icons?: boolean
  /** False: the control renders its own label, help and error. */
  framed?: boolean
  /** Never stored in a draft: passwords, cards, files. */
  secret?: boolean
  /** For one-time codes: cleared when refused, and validated only on submit. */
  once?: boolean
  /** Validated only on submit. */
  quiet?: boolean
  /** A card: exchanged for a token before the call. */
  card?: boolean
  /** Converts the value for the request; undefined omits the field. */
  send?: (value: unknown) => unknown
  render: (control: Control) => ReactNode
}

/** Options that most input functions take. */
export type Common = Pick<Input, 'label' | 'help' | 'aside' | 'half'> & Omit<Rules, 'format' | 'check'>

export const commonOf = ({ label, help, aside, half }: Common) => ({ label, help, aside, half })
export function rulesOf({ label: _l, help: _h, aside: _a, half: _f, ...rules }: Common): Rules {
  return rules
}
