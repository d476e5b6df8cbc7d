import { useState } from 'react'
import { Form } from '../../lib/form/Form.tsx'
import { complaint } from '../../lib/form/rules.ts'
import type { Input } from '../../lib/form/types.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Field } from '../base/Field.tsx'
import { inputs } from './inputs.tsx'
import { Spec } from './Spec.tsx'

/** Every kind of input in every state, and a form with all of them. */
export function InputSamples() {
  // Re-renders messages when the language changes.
  useT()
  return (
    <>
      {Object.entries(inputs).map(([name, { input, good, bad }]) => (
        <Spec key={name} title={`Input: ${name}`} wide>
          <div className="states">
            <State name={`${name}-empty`} input={input} state="Empty" value={input.value} />
            <State name={`${name}-filled`} input={input} state="Filled" value={good} valid />
            <State
              name={`${name}-error`}
              input={input}
              state="Error"
              value={bad}
              error={complaint(bad, input.rules, input.label, { password: 'another' }) ?? undefined}
            />
            <State name={`${name}-off`} input={input} state="Disabled" value={good} disabled />
          </div>
        </Spec>
      ))}
      <Spec title="All of them in a form: nothing is sent while one is wrong" wide>
        <div className="measure">
          <Form
            inputs={Object.fromEntries(Object.entries(inputs).map(([name, { input }]) => [name, input]))}
            call={answer}
            buttonText="Send"
          />
        </div>
      </Spec>
    </>
  )
}

type StateProps = {
  name: string
  input: Input
  state: string
  value: unknown
  error?: string
  valid?: boolean
  disabled?: boolean
}

function State({ name, input, state, value: first, error, valid, disabled = false }: StateProps) {
  const [value, setValue] = useState(first)
  const label = `${input.label}, ${state.toLowerCase()}`
  const drawn = input.render({
    name,
    value,
    onChange: setValue,
    onBlur: () => {},
    ref: null,
    label,
    help: input.help,
    error,
    disabled,
    large: false,
    onAdapter: () => {},
  })
  if (input.framed === false) return drawn
  return (
    <Field
      label={label}
      help={input.help}
      error={error}
      valid={Boolean(valid && input.icons)}
      required={input.rules.required ?? false}
    >
      {drawn}
    </Field>
  )
}

/** Slow, to show the busy form. */
const answer = () =>
  new Promise<{ data: object; message: string }>(done =>
    setTimeout(() => done({ data: {}, message: 'Everything was good' }), 2000),
  )
