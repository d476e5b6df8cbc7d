import { expect, test } from 'vitest'
import type { SamlCode } from '../../src/integrations/saml/saml.ts'
import { bothSigned, genuine, responseSigned, verdict } from './idp.ts'
import type { Parts } from './message.ts'

/** An attack beside the genuine message it was made of, which is accepted. */
export async function refused(control: string, attack: string, code: SamlCode) {
  expect(await verdict(control)).toBe('accepted')
  expect(attack).not.toBe(control)
  expect(await verdict(attack)).toBe(code)
}

export type Case = [name: string, attack: Parts, code: SamlCode, control?: Parts]

/**
 * Each claim wrong or missing, in a message that the provider's own key signs in full: what only our reading refuses.
 * The control is the same message with the claim right, accepted however it is signed.
 */
export function refusedHoweverSigned(cases: Case[]) {
  test.each(cases)('%s', async (_, attack, code, control = {}) => {
    for (const make of [genuine, responseSigned, bothSigned]) await refused(make(control), make(attack), code)
  })
}
