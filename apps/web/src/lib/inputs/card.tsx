import type { ComponentType } from 'react'
import { type Common, type Control, commonOf, type Input, rulesOf } from '../form/types.ts'

/**
 * A card field passes null to `onChange` while it is empty, and a new value on every change of the card. It
 * passes its adapter to `control.onAdapter` once it can tokenize, and null when it unmounts.
 */
export type CardFieldProps = { control: Control }

/**
 * A card input. The form exchanges the card for a token and sends it under the field's name. If the response
 * says `requires_payment_action`, the adapter confirms the payment and the form repeats the call with the
 * result.
 */
export function card(options: Common & { component: ComponentType<CardFieldProps> }): Input {
  const { component: CardField, ...common } = options
  return {
    ...commonOf(common),
    rules: rulesOf(common),
    value: null,
    secret: true,
    card: true,
    render: control => <CardField control={control} />,
  }
}
