import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Input } from './types.ts'

type Values = Record<string, unknown>
type Inputs = Record<string, Input>

export const startOf = (inputs: Inputs): Values =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]))

/** The fields whose value differs from `start`. */
export const changedOf = (inputs: Inputs, start: Values, values: Values): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !isSame(values[name], start[name])))

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b)
  return a.length === b.length && a.every((part, index) => Object.is(part, b[index]))
}

/**
 * The initial values of the fields, used to find changed ones. When an input's `value` prop changes, for
 * example after a save in another tab, untouched fields take over the new value.
 */
export function useStart(form: UseFormReturn<Values>, inputs: Inputs) {
  const start = useRef<Values>(startOf(inputs))
  const lastInputValues = useRef<Values>(start.current)
  useEffect(() => {
    for (const [name, { value }] of Object.entries(inputs)) {
      if (isSame(value, lastInputValues.current[name])) continue
      lastInputValues.current = { ...lastInputValues.current, [name]: value }
      const touched = !isSame(form.getValues(name), start.current[name])
      if (touched || !Object.hasOwn(start.current, name)) continue
      start.current = { ...start.current, [name]: value }
      form.setValue(name, value)
    }
  })
  return start
}
