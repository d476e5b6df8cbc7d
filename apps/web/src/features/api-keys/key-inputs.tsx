import { limits } from '@plinth/contract/patterns'
import { isScope, type Scope } from '@plinth/contract/scopes'
import type { Ref } from 'react'
import { native, text } from '../../lib/form/inputs.tsx'
import type { Control, Input } from '../../lib/form/types.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { focusable } from '../../lib/inputs/focusable.ts'
import { custom } from '../../lib/inputs/more-inputs.tsx'
import { Field } from '../../ui/base/Field.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { FieldSet } from '../../ui/form/FieldSet.tsx'
import { Select } from '../../ui/form/Select.tsx'

type Choice = { value: string; label: string }

export const nameInput = (t: Translate, value = ''): Input =>
  text({
    label: t('api_keys.form.name'),
    help: t('api_keys.form.name_help'),
    value,
    required: true,
    maxLength: limits.name,
    autoComplete: 'off',
    messages: { required: t('api_keys.form.name_required') },
  })

export const scopeInput = (t: Translate, choices: readonly Choice[], value: readonly Scope[] = []): Input =>
  custom({
    label: t('api_keys.form.scope'),
    help: t('api_keys.form.scope_help'),
    value,
    required: true,
    messages: { required: t('api_keys.form.scope_required') },
    render: control => <ScopeField control={control} choices={choices} />,
  })

function ScopeField({ control, choices }: { control: Control; choices: readonly Choice[] }) {
  const chosen = Array.isArray(control.value) ? control.value.filter(isScope) : []
  const toggleScope = (value: string) =>
    control.onChange(
      choices
        .map(choice => choice.value)
        .filter(isScope)
        .filter(scope => (scope === value ? !chosen.includes(scope) : chosen.includes(scope))),
    )
  return (
    <FieldSet legend={control.label} help={control.help} error={control.error}>
      <div className="stack stack-2 pt-1" ref={focusable(control, box => box.querySelector('input'))}>
        {choices.map(({ value, label }) => (
          <Checkbox
            key={value}
            name={control.name}
            value={value}
            label={label}
            help={<span className="mono ltr">{value}</span>}
            checked={chosen.some(scope => scope === value)}
            disabled={control.disabled}
            onChange={() => toggleScope(value)}
            onBlur={control.onBlur}
          />
        ))}
      </div>
    </FieldSet>
  )
}

const NEVER = 'never'
const DAY = 86_400_000

/** The lifetime starts when the form is sent. A key with an end date gets a reminder mail. */
export const expiryInput = (t: Translate): Input =>
  custom({
    label: t('api_keys.form.expires'),
    value: NEVER,
    send: value => (value === NEVER ? undefined : new Date(Date.now() + Number(value) * DAY).toISOString()),
    render: control => (
      <Field
        label={control.label}
        help={control.value === NEVER ? undefined : t('api_keys.form.expires_help')}
        error={control.error}
      >
        <Select
          {...native(control)}
          ref={control.ref as Ref<HTMLSelectElement>} // as: a ref takes any element it is mounted on
          options={[
            { value: NEVER, label: t('api_keys.form.never') },
            { value: '30', label: t('api_keys.form.days', { count: 30 }) },
            { value: '90', label: t('api_keys.form.days', { count: 90 }) },
            { value: '365', label: t('api_keys.form.year') },
          ]}
        />
      </Field>
    ),
  })
