import type { ReactNode, Ref } from 'react'
import { Checkbox, Radio } from '../../ui/form/Checkbox.tsx'
import { FieldSet } from '../../ui/form/FieldSet.tsx'
import { type Common, type Control, commonOf, type Input, rulesOf } from '../form/types.ts'

type Choice = { value: string; label: ReactNode; help?: ReactNode; disabled?: boolean }

/** Radio buttons. */
export function radio(options: Common & { options: readonly Choice[]; value?: string }): Input {
  const { options: choices, value = '', ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    framed: false,
    render: control => (
      <FieldSet legend={control.label} help={control.help} error={control.error}>
        {choices.map((choice, index) => (
          <Radio
            key={choice.value}
            {...choiceOf(control, choice, index)}
            checked={control.value === choice.value}
            onChange={() => control.onChange(choice.value)}
          />
        ))}
      </FieldSet>
    ),
  }
}

/** Checkboxes. The value is a list in the order of the options. */
export function checkboxes(options: Common & { options: readonly Choice[]; value?: string[] }): Input {
  const { options: choices, value = [], ...common } = options
  const order = choices.map(choice => choice.value)
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    framed: false,
    render: control => {
      const chosen = new Set(Array.isArray(control.value) ? control.value : [])
      const set = (choice: string, on: boolean) =>
        control.onChange(order.filter(other => (other === choice ? on : chosen.has(other))))
      return (
        <FieldSet legend={control.label} help={control.help} error={control.error}>
          {choices.map((choice, index) => (
            <Checkbox
              key={choice.value}
              {...choiceOf(control, choice, index)}
              checked={chosen.has(choice.value)}
              onChange={event => set(choice.value, event.target.checked)}
            />
          ))}
        </FieldSet>
      )
    },
  }
}

/** The first option is focused when this field has the first error. */
const choiceOf = (control: Control, { value, label, help, disabled }: Choice, index: number) => ({
  name: control.name,
  value,
  label,
  help,
  disabled: control.disabled || disabled,
  onBlur: control.onBlur,
  ref: index === 0 ? (control.ref as Ref<HTMLInputElement>) : undefined, // as: a ref takes any element it is mounted on
})
