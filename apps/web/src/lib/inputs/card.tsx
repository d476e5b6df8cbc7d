import type { ComponentType } from 'react'
import { type Common, type Control, commonOf, type Input, rulesOf } from '../form/types.ts'

/**
 * A card input reports null while it is empty and something else otherwise, anew with every change of the card;
 * it hands `control.onAdapter` its adapter once it can tokenize, and null when it goes.
 */
export type CardFieldProps = { control: Control }

/**
 * A card in a form: the form exchanges it for a token, sends that under the field's name, and when the answer says
 * `requires_payment_action`, has the adapter confirm and repeats the call with the provider's result.
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
