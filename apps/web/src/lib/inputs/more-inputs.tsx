import type { ReactNode, Ref } from 'react'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { type Option, Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { TextArea } from '../../ui/form/TextArea.tsx'
import { native } from '../form/inputs.tsx'
import { type Common, type Control, commonOf, type Input, rulesOf } from '../form/types.ts'
import { t } from '../i18n/translate.ts'

/** A native select. */
export function select(options: Common & { options: readonly Option[]; value?: string }): Input {
  const { options: choices, value = '', ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    render: control => (
      <Select
        {...native(control)}
        ref={refOf(control)}
        options={choices}
        placeholder={t('global.form.select.placeholder')}
      />
    ),
  }
}

/** A multi-line text. */
export function area(
  options: Common & { value?: string; rows?: number; placeholder?: string; autoFocus?: boolean },
): Input {
  const { value = '', rows = 5, placeholder, autoFocus, ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    render: control => {
      const { large: _, ...props } = native(control)
      return (
        <TextArea
          {...props}
          ref={refOf(control)}
          rows={rows}
          placeholder={placeholder}
          autoFocus={autoFocus}
        />
      )
    },
  }
}

/** A switch, sent as true or false. */
export function toggle(options: Common & { value?: boolean }): Input {
  const { value = false, ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    render: control => (
      <Switch
        checked={control.value === true}
        onChange={control.onChange}
        onBlur={control.onBlur}
        disabled={control.disabled}
        ref={refOf(control)}
      />
    ),
  }
}

/** A single checkbox, sent as true or false. */
export function checkbox(options: Common & { value?: boolean }): Input {
  const { value = false, ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value,
    framed: false,
    render: control => (
      <div className="field">
        <Checkbox
          name={control.name}
          checked={control.value === true}
          onChange={event => control.onChange(event.target.checked)}
          onBlur={control.onBlur}
          disabled={control.disabled}
          ref={refOf(control)}
          label={control.label}
          help={control.help}
          aria-invalid={control.error ? true : undefined}
        />
        {control.error && (
          <p className="error" role="alert">
            {control.error}
          </p>
        )}
      </div>
    ),
  }
}

type CustomOptions = Common &
  Pick<Input, 'secret' | 'send' | 'framed' | 'quiet'> & {
    value?: unknown
    check?: Input['rules']['check']
    render: (control: Control) => ReactNode
  }

/**
 * An input with a custom control. With `framed: true` (as for ChipsInput) a Field adds label, help and error;
 * otherwise the control renders them itself (as PlanPicker does).
 */
export function custom(options: CustomOptions): Input {
  const { value = '', check, render, secret, send, quiet, framed = false, ...common } = options
  const rules = { ...rulesOf(common), check }
  return { ...commonOf(common), rules, value, secret, send, quiet, framed, render }
}

const refOf = <T extends HTMLElement>(control: Control) => control.ref as Ref<T> // as: a ref takes any element it is mounted on
