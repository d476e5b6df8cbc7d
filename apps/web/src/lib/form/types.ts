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

/** What a value must be. Every message can be replaced for this field. */
export type Rules = {
  required?: boolean
  /** Of a number. */
  min?: number
  max?: number
  /** Of a text. */
  minLength?: number
  maxLength?: number
  format?: 'email' | 'number' | 'phone' | 'url'
  /** At least one special character. */
  complex?: boolean
  /** Equals the field of this name, or is empty. */
  matches?: string
  /** Nothing is asked of this field once the field of this name is filled. */
  instead?: string
  /** How many of several options. */
  minOptions?: number
  maxOptions?: number
  /** Of files: the media types that are taken, and how many. */
  accept?: readonly string[]
  maxFiles?: number
  /** A rule of this field alone: a message, or null when the value is good. */
  check?: (value: unknown, values: Record<string, unknown>) => string | null
  messages?: Partial<Record<RuleName, string>>
}

/** What a control is handed to draw itself. Inside a Field it is named, described and marked by it. */
export type Control = {
  name: string
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  /** Give it to what should get the focus when this field has the first error. */
  ref: Ref<HTMLElement>
  label: string
  help: ReactNode
  /** The message to show, for controls that draw their own frame. */
  error: string | undefined
  disabled: boolean
  /** 40 pixels high, as on the auth card. */
  large: boolean
  /** For a card's control alone: who turns the card into a token. */
  onAdapter: (adapter: CardAdapter | null) => void
}

/** One field of a form. Made by `text`, `email`, `password`, `select` … and never by hand. */
export type Input = {
  label: string
  help?: ReactNode
  /** At the end of the label's line: a link. */
  aside?: ReactNode
  /** Shares its line with the next field that is a half. */
  half?: boolean
  rules: Rules
  /** The value to start with. */
  value: unknown
  /** Draws a check or a cross once touched. */
  icons?: boolean
  /** False: the control draws its own label, help and error. */
  framed?: boolean
  /** Never put into a draft: passwords, cards, files. */
  secret?: boolean
  /** Good for one try, as a code: emptied when it is refused, and complained about only when it is sent. */
  once?: boolean
  /** Complained about only when it is sent. */
  quiet?: boolean
  /** A card, exchanged for a token before the call. */
  card?: boolean
  /** The value as it is sent; undefined leaves the field out. */
  send?: (value: unknown) => unknown
  render: (control: Control) => ReactNode
}

/** What most makers of inputs take besides their own options. */
export type Common = Pick<Input, 'label' | 'help' | 'aside' | 'half'> & Omit<Rules, 'format' | 'check'>

export const commonOf = ({ label, help, aside, half }: Common) => ({ label, help, aside, half })
export function rulesOf({ label: _l, help: _h, aside: _a, half: _f, ...rules }: Common): Rules {
  return rules
}
