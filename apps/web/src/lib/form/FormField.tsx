import { type Control as HookControl, type UseFormTrigger, useController } from 'react-hook-form'
import { Field } from '../../ui/base/Field.tsx'
import { complaint } from './rules.ts'
import type { Control, Input } from './types.ts'

export type Values = Record<string, unknown>

type Props = Pick<Control, 'disabled' | 'large' | 'onAdapter'> & {
  name: string
  input: Input
  /** Whether the form is being sent. Some fields are validated only then. */
  sending: () => boolean
  /** Fields that must equal this one. They are validated again when it changes. */
  dependents: string[]
  control: HookControl<Values>
  trigger: UseFormTrigger<Values>
}

export function FormField({ name, input, sending, dependents, control, trigger, ...rest }: Props) {
  const { field, fieldState } = useController({
    name,
    control,
    rules: {
      validate: (value, values) =>
        ((input.once || input.quiet) && !sending()) ||
        (complaint(value, input.rules, input.label, values) ?? true),
    },
  })
  const { label, help, aside, rules } = input
  // Computed on each render because the language may change. Server messages are not translated again.
  const error =
    (fieldState.error?.type === 'validate' && complaint(field.value, rules, label, control._formValues)) ||
    fieldState.error?.message

  const rendered = input.render({
    ...rest,
    name,
    label,
    help,
    error,
    value: field.value,
    ref: field.ref,
    onBlur: field.onBlur,
    onChange(value) {
      field.onChange(value)
      const filled = dependents.filter(other => control._formValues[other])
      if (filled.length) trigger(filled)
    },
  })
  if (input.framed === false) return rendered
  return (
    <Field
      label={label}
      help={help}
      aside={aside}
      error={error}
      required={rules.required ?? false}
      valid={Boolean(input.icons && fieldState.isTouched && !fieldState.invalid && field.value)}
    >
      {rendered}
    </Field>
  )
}
