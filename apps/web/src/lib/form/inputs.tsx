import { readableEmail } from '@plinth/contract/email'
import type { Ref } from 'react'
import { type InputProps, Input as TextInput } from '../../ui/base/Input.tsx'
import { PasswordInput } from '../../ui/form/PasswordInput.tsx'
import { useT } from '../i18n/translate.ts'
import { type Common, type Control, commonOf, type Input, type Rules, rulesOf } from './types.ts'

type TextOptions = Common & {
  value?: string
  autoComplete?: string
  placeholder?: string
  /** Can be read and copied but not changed; it is not sent. */
  readOnly?: boolean
  autoFocus?: boolean
  /** Shows the numeric keyboard on phones and keeps leading zeros. */
  inputMode?: 'numeric'
}

function textInput(
  kind: NonNullable<InputProps['type']>,
  format: Rules['format'],
  options: TextOptions,
): Input {
  const { value = '', autoComplete, placeholder, readOnly, autoFocus, inputMode, ...common } = options
  return {
    ...commonOf(common),
    rules: readOnly ? {} : { ...rulesOf(common), format },
    value,
    icons: !readOnly,
    send: sent => (readOnly ? undefined : sent),
    render: control => (
      <TextInput
        type={kind}
        {...native(control)}
        autoComplete={autoComplete}
        placeholder={placeholder}
        readOnly={readOnly}
        autoFocus={autoFocus}
        {...(inputMode && { inputMode })}
      />
    ),
  }
}

export const text = (options: TextOptions): Input => textInput('text', undefined, options)
export const email = (options: TextOptions): Input =>
  textInput('email', 'email', { ...options, value: readableEmail(options.value ?? '') })
export const phone = (options: TextOptions): Input => textInput('phone', 'phone', options)
export const url = (options: TextOptions): Input => textInput('url', 'url', options)
/** Sent as a number; omitted when empty. */
export const number = (options: TextOptions): Input => ({
  ...textInput('number', 'number', options),
  send: value => (String(value).trim() === '' ? undefined : Number(value)),
})

type PasswordOptions = Common & { autoComplete: 'current-password' | 'new-password' }

export function password({ autoComplete, ...common }: PasswordOptions): Input {
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value: '',
    icons: true,
    secret: true,
    render: control => <PasswordControl control={control} autoComplete={autoComplete} />,
  }
}

function PasswordControl({ control, autoComplete }: { control: Control; autoComplete: string }) {
  const t = useT()
  return (
    <PasswordInput
      {...native(control)}
      autoComplete={autoComplete}
      showLabel={t('global.form.password.show')}
      hideLabel={t('global.form.password.hide')}
    />
  )
}

/** The props that connect a native input to a control. */
export function native({ name, value, onChange, onBlur, ref, disabled, large }: Control) {
  return {
    name,
    value: String(value ?? ''),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    onBlur,
    ref: ref as Ref<HTMLInputElement>, // as: a ref takes any element it is mounted on
    disabled,
    large,
  }
}
